/*
 * Measures and cuts text by grapheme, as a terminal shows it. Untrusted text must be sanitized
 * first.
 */
import { platform as hostPlatform } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';

const printableAscii = /^[\x20-\x7e]*$/;

/* Letters, signs, marks, bars and ideographs that no neighbor joins, so that each is a grapheme. */
const separate =
  /^[ -~¡-¬®-\u02ff\u0370-\u0373\u0391-\u03a1\u03a3-\u0482\u048a-\u052f\u05d0-\u05ea\u0621-\u063f\u0641-\u064a\u2010-\u2027\u2030-\u203b\u2580-\u259f\u25cf\u25d0\u2717\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3]*$/;

let segmenter: Intl.Segmenter | undefined;

/* Built on first use: few texts need it, and Segmenter takes longer than all the rest. */
function* graphemes(text: string): Iterable<string> {
  if (separate.test(text)) return yield* text;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/* cli-table3 measures a cell ten times, and shortens it character by character. */
const maxMeasured = 1_000;
const measured = new Map<string, number>();

/** Measures the columns that text takes on a terminal; escape sequences take none. */
export function width(text: string): number {
  if (printableAscii.test(text)) return text.length;
  const known = measured.get(text);
  if (known !== undefined) return known;
  const plain = stripVTControlCharacters(text);
  let columns = 0;
  if (separate.test(plain)) {
    columns = plain.length;
    for (let index = 0; index < plain.length; index += 1)
      if (plain.charCodeAt(index) > 0x3000) columns += 1;
  } else for (const segment of graphemes(plain)) columns += graphemeWidth(segment);
  if (measured.size >= maxMeasured) measured.clear();
  measured.set(text, columns);
  return columns;
}

const joined = /[\p{Mc}\uff9e\uff9f]|(?![\u1160-\u11ff\ud7b0-\ud7fb])\p{Lo}/gu;

/*
 * An emoji takes two columns. Spacing marks and joined letters, as in Hindi, Thai and half-width
 * kana, take their own; the parts of a Korean syllable share those of the first.
 */
function graphemeWidth(grapheme: string): number {
  const visible = grapheme.search(
    /[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Mn}\p{Me}]/u,
  );
  if (visible === -1) return 0;
  if (/\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\u20e3/u.test(grapheme)) return 2;
  const spacing = grapheme.slice(visible + 1).match(joined)?.length ?? 0;
  return eastAsianWidth(grapheme.codePointAt(visible) ?? 0) + spacing;
}

/** Cuts unstyled text to at most `columns` (1 or more); an ellipsis marks the cut. */
export function truncate(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = '';
  let used = 0;
  for (const segment of graphemes(text)) {
    used += width(segment);
    if (used > columns) return `${kept}…`;
    if (used < columns) kept += segment;
  }
  return text;
}

/**
 * Breaks unstyled text into lines of at most `columns` (1 or more), at spaces where possible.
 */
export function wrap(text: string, columns: number): string[] {
  return fill(text, columns, pieces);
}

/* An option, and its value if that is no option. The value may be in quotes. */
const optionAndValue = /(?<![^ `(])(--?[a-z][\w-]*) ("[^"]*"\S*|'[^']*'\S*|[^ -]\S*)/gi;

/**
 * Breaks unstyled text into lines at spaces only, so that each path, address and option with its
 * value can be copied. What is longer than `columns` has a line of its own.
 */
export function wrapWords(text: string, columns: number): string[] {
  // A space that does not break; the text has no control character.
  const kept = text.replace(optionAndValue, (both) => both.replaceAll(' ', '\0'));
  return fill(kept, columns, (word) => {
    const piece = word.replaceAll('\0', ' ');
    return [{ piece, size: width(piece) }];
  });
}

type Pieces = (word: string, columns: number) => { piece: string; size: number }[];

function fill(text: string, columns: number, split: Pieces): string[] {
  if (text.length <= columns && printableAscii.test(text) && !/^ | {2}/.test(text)) return [text];
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const { piece, size } of text.split(/ +/).flatMap((word) => split(word, columns))) {
    if (used > 0 && used + 1 + size > columns) {
      lines.push(line);
      [line, used] = [piece, size];
    } else {
      line += used > 0 ? ` ${piece}` : piece;
      used += used > 0 ? 1 + size : size;
    }
  }
  return [...lines, line];
}

/* Makes one pass over the graphemes of a word, because measuring takes the time. */
function pieces(word: string, columns: number): { piece: string; size: number }[] {
  if (word.length <= columns && printableAscii.test(word))
    return [{ piece: word, size: word.length }];
  const done: { piece: string; size: number }[] = [];
  let piece = '';
  let size = 0;
  for (const segment of graphemes(word)) {
    const segmentWidth = width(segment);
    const [grapheme, added] = segmentWidth > columns ? ['…', 1] : [segment, segmentWidth];
    if (size + added > columns) {
      done.push({ piece, size });
      [piece, size] = ['', 0];
    }
    piece += grapheme;
    size += added;
  }
  return [...done, { piece, size }];
}

/**
 * Breaks a command line between words where a POSIX shell continues it, if possible not between an
 * option and its value. The shells of Windows have different marks, so there it stays one line.
 * @param start the text before the command
 * @param command its words, quoted for the shell
 */
export function wrapCommand(
  start: string,
  command: string,
  columns: number,
  platform: NodeJS.Platform = hostPlatform(),
): string[] {
  if (platform === 'win32') return [start + command];
  const parts = command.match(/(?:-\S+ (?!-))?(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g) ?? [];
  const lines = [start + (parts[0] ?? '')];
  for (const [index, part] of parts.entries()) {
    if (index === 0) continue;
    const joined = `${lines.at(-1)} ${part}`;
    const mark = index === parts.length - 1 ? '' : ' \\';
    if (width(joined + mark) <= columns) lines[lines.length - 1] = joined;
    else lines.push(`  ${part}`);
  }
  return lines.map((line, index) => (index === lines.length - 1 ? line : `${line} \\`));
}

/**
 * Joins unstyled items with dots into lines of at most `columns`, which break between items where
 * possible.
 */
export function wrapList(items: readonly string[], columns: number): string[] {
  if (items.length === 1) return wrap(items[0] ?? '', columns);
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.length - 1;
    const joined = `${lines[last]} · ${item}`;
    if (last >= 0 && fits(joined, columns)) lines[last] = joined;
    else if (fits(item, columns)) lines.push(item);
    else
      for (const [index, line] of wrap(item, columns - 2).entries())
        lines.push(index === 0 ? line : `  ${line}`);
  }
  return lines;
}

function fits(text: string, columns: number): boolean {
  return truncate(text, columns) === text;
}

export function pad(text: string, columns: number, side: 'left' | 'right' = 'right'): string {
  const space = ' '.repeat(Math.max(0, columns - width(text)));
  return side === 'left' ? space + text : text + space;
}

export function capital(text: string): string {
  if (text === 'id') return 'ID';
  return text.charAt(0).toUpperCase() + text.slice(1);
}
