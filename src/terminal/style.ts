import type { ColorLevel } from '../runtime/context.ts';

const tones = ['bold', 'dim', 'red', 'green', 'yellow', 'blue', 'cyan', 'magenta'] as const;

/** A color or weight of text. */
export type Tone = (typeof tones)[number];

/** Functions that wrap text in the escape sequences of a tone, or return it unchanged. */
export type Style = Readonly<Record<Tone, (text: string) => string>>;

/** Loads the style of a color level; level 0 loads nothing and leaves text unchanged. */
export async function loadStyle(level: ColorLevel): Promise<Style> {
  if (level === 0) return plainStyle;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level });
  return styleOf((tone) => (text) => chalk[tone](text));
}

function styleOf(paint: (tone: Tone) => (text: string) => string): Style {
  return Object.fromEntries(tones.map((tone) => [tone, paint(tone)])) as Style;
}

/** The style of a stream without color. */
export const plainStyle: Style = styleOf(() => (text) => text);
