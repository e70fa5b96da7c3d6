/* Columns of numbers whose decimal points stand below each other. */
import { figure } from '../../../terminal/figure.ts';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const hundredths = new Intl.NumberFormat('en', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const fourDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
const isExtreme = (value: number) =>
  value !== 0 && (Math.abs(value) >= 1e15 || Math.abs(value) < 1e-6);

/**
 * Formats amounts of one column: whole numbers if the largest has at least four digits, else two
 * decimals. An amount that would become 0 is `<1` or `<0.01`, and `>-1` or `>-0.01` if negative.
 */
export function amountTexts(values: readonly (number | null)[]): string[] {
  const max = values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
  const [format, step] = max >= 1_000 ? ([whole, 1] as const) : ([hundredths, 0.01] as const);
  return values.map((value) => {
    if (value === null) return '–';
    if (Math.abs(value) >= 1e15) return figure(value).rounded;
    if (value !== 0 && Math.abs(value) < step / 2) return value > 0 ? `<${step}` : `>-${step}`;
    return format.format(value === 0 ? 0 : value);
  });
}

/** Formats factors of one column with four significant digits, aligned at the decimal point. */
export function factorTexts(values: readonly (number | null)[]): string[] {
  const texts = values.map((value) =>
    value === null ? '–' : isExtreme(value) ? value.toExponential(3) : fourDigits.format(value),
  );
  const fraction = (text: string) => (text.includes('.') ? text.length - text.indexOf('.') : 0);
  const widest = Math.max(0, ...texts.map(fraction));
  return texts.map((text) => text + ' '.repeat(widest - fraction(text)));
}
