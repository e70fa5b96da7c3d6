/*
 * What to do about a failure, in words. The commands in it are data, because the program adds the
 * options of the run that each of them accepts.
 */

/** A command line to paste. */
export interface CommandLine {
  /** The words after `carbon`, quoted for a shell; the first is the name of the command. */
  readonly words: readonly string[];
}

/** The parts of sentences, as `hint` returns them. */
export type HintParts = readonly (string | CommandLine)[];

/** Sentences: a text, or its parts. */
export type Hint = string | HintParts;

/**
 * Returns a command line: the words after `carbon`.
 * @param values words that are already quoted
 */
export function command(texts: TemplateStringsArray, ...values: readonly string[]): CommandLine {
  const words = texts.flatMap((text, at) => [
    ...text.split(' ').filter((word) => word !== ''),
    ...values.slice(at, at + 1),
  ]);
  return { words };
}

/** Returns a text with commands in it. A command that only describes a format is text. */
export function hint(texts: TemplateStringsArray, ...values: HintParts): HintParts {
  return texts.flatMap((text, at) => [text, ...values.slice(at, at + 1)]);
}

/** Joins hints with spaces; undefined for none. */
export function joinHints(...hints: readonly (Hint | undefined)[]): Hint | undefined {
  const given = hints.filter((each) => each !== undefined);
  if (given.length === 0) return undefined;
  if (given.every((each) => typeof each === 'string')) return given.join(' ');
  return given.flatMap((each, at) => [at === 0 ? '' : ' ', each].flat());
}

/**
 * Returns the text of a hint, with the commands in backticks.
 * @param add returns further words for a command, quoted for a shell
 */
export function hintText(hint: Hint, add: (command: CommandLine) => string = () => ''): string {
  if (typeof hint === 'string') return hint;
  return hint
    .map((part) => {
      if (typeof part === 'string') return part;
      return `\`${['carbon', ...part.words, add(part)].filter(Boolean).join(' ')}\``;
    })
    .join('');
}
