/*
 * Turns the stored number of a cell into the text that a person sees in the cell editor.
 */

/* Digits beyond 15 are the noise of binary fractions: Excel stores 0.1 + 0.2 with 17. */
const maxDigits = 15;
const integer = /^-?(?:0|[1-9]\d*)$/;
const shortDecimal = /^-?(?:0|[1-9]\d{0,6})\.\d{0,7}[1-9]$/;
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Returns the shortest text of a stored number, without an exponent from 1e-15 to 1e21, or
 * undefined if the text is not a number.
 *
 * Integers keep all their digits, because long identifiers are stored so.
 */
export function numberText(stored: string): string | undefined {
  if (integer.test(stored)) return stored === '-0' ? '0' : stored;
  if (shortDecimal.test(stored)) return stored;
  const trimmed = stored.trim();
  if (!number.test(trimmed)) return undefined;
  const value = Number(trimmed);
  if (!Number.isFinite(value)) return undefined;
  return plainText(Number(value.toPrecision(maxDigits)));
}

function plainText(value: number): string {
  if (value === 0) return '0';
  const text = String(value);
  const [, sign = '', digits = '', exponent] = /^(-?)([\d.]+)e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const power = Number(exponent);
  if (power > 0 || power < -maxDigits) return `${sign}${digits}E${exponent}`;
  return `${sign}0.${'0'.repeat(-power - 1)}${digits.replace('.', '')}`;
}
