import type { ColorLevel, Context } from '../../runtime/context.ts';

/*
 * Nobody knows the background. No color has a contrast of 4.5 on both black and Solarized light,
 * and dim text has less than that on either. So text has the color of the terminal, and bold marks
 * what leads or warns. A color is only for a mark beside a word that says the same.
 */
const tones = ['bold', 'red', 'green', 'yellow', 'cyan'] as const;

export type Tone = (typeof tones)[number];

export type Style = Readonly<Record<Tone, (text: string) => string>>;

export async function loadStyle(level: ColorLevel): Promise<Style> {
  if (level === 0) return plainStyle;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level });
  return styleOf((tone) => (text) => chalk[tone](text));
}

function styleOf(paint: (tone: Tone) => (text: string) => string): Style {
  return Object.fromEntries(tones.map((tone) => [tone, paint(tone)])) as Style;
}

export const plainStyle: Style = styleOf(() => (text) => text);

/** Colors the mark that a line begins with, and leaves its words alone. */
export function paintMark(line: string, tone: Tone, style: Style): string {
  const [mark = ''] = line;
  return style[tone](mark) + line.slice(mark.length);
}

/** Options of every view in a terminal. */
export interface View {
  readonly style: Style;
  readonly columns: number;
  /** Whether the terminal can show bars; false by default. */
  readonly pictures?: boolean;
}

export interface RecordView extends View {
  /** Whether the figures come from the sandbox; every view then prints `syntheticNote`. */
  readonly synthetic: boolean;
  /** The unit of the emissions, which the view then says: null is unknown. */
  readonly unit?: string | null | undefined;
  /** The day of retrieval, `YYYY-MM-DD`. */
  readonly day?: string | undefined;
}

/**
 * Tells whether a terminal can show pictures: it moves its cursor, and its locale has UTF-8. A
 * terminal of Windows needs no locale.
 */
export function showsPictures({ env, platform }: Pick<Context, 'env' | 'platform'>): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  const isUtf8 = locale ? /utf-?8/i.test(locale) : platform === 'win32';
  return isUtf8 && env['TERM'] !== 'dumb';
}

/**
 * Chooses the number of columns for a layout, between 40 and `maxColumns`. A narrower terminal cuts
 * lines.
 */
export function layoutColumns(view: View, maxColumns = 200): number {
  return Math.max(40, Math.min(view.columns, maxColumns));
}

/**
 * Says that figures are no real research.
 * @param scope a phrase that begins with a space, such as ` of 3 suppliers`; all of them by default
 */
export const syntheticNote = (scope = ''): string =>
  `Synthetic sandbox data${scope}, not real research`;

export interface StatusLook {
  readonly glyph: string;
  readonly tone: Tone;
  readonly word: string;
  /** What the status means for the research (section 3, rule 1 of docs/service.md). */
  readonly research: string;
}

/**
 * Describes a status: every value but `synced` and `errored` means that research is in progress.
 */
export function describeStatus(status: string | null | undefined): StatusLook {
  const word = status || 'no status';
  if (status === 'synced') return { glyph: '●', tone: 'green', word, research: 'complete' };
  if (status === 'errored') {
    return { glyph: '✗', tone: 'red', word, research: 'failed, figures may be missing' };
  }
  return { glyph: '◐', tone: 'yellow', word, research: 'in progress, figures may be missing' };
}
