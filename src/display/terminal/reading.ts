/* What stands after the tables of a result: what limits the trust in it, and how to read it. */
import { sanitize } from './sanitize.ts';
import { indent, type Section } from './section.ts';
import { paintMark, type Style } from './style.ts';
import { wrap, wrapCommand } from './text.ts';

/** Wraps a text for a terminal, further lines indented. */
export function hanging(first: string, text: string, width: number): string[] {
  const lines = wrap(sanitize(text), width - 2);
  return lines.map((line, at) => `${at === 0 ? first : '  '}${line}`);
}

/** Writes notes for a terminal, each after a mark. */
export function noteLines(notes: readonly string[], columns: number, style: Style): string[] {
  return notes
    .flatMap((note) => hanging('! ', note, columns - 2))
    .map((line) => indent(line.startsWith('!') ? paintMark(line, 'bold', style) : line));
}

/** Returns what a reader must know before quoting a result, for a terminal. */
export function notesSection(notes: readonly string[]): Section {
  return {
    name: 'Before you quote it',
    facts: factsOf(notes),
    renderTerminal: (columns, style) => noteLines(notes, columns, style),
  };
}

/** The title of what explains a result, but changes nothing in it. */
export const readingTitle = 'How to read it';

/**
 * Returns how to read a result, for a terminal.
 * @param next what to do next, and the command that does it
 */
export function readingSection(
  notes: readonly string[],
  next?: readonly [start: string, command: string],
): Section {
  return {
    name: readingTitle,
    facts: factsOf(notes),
    renderTerminal: (columns) => [
      ...notes.flatMap((note) => hanging('', note, columns - 2).map(indent)),
      ...(next === undefined
        ? []
        : wrapCommand(next[0], sanitize(next[1]), columns - 2).map(indent)),
    ],
  };
}

function factsOf(notes: readonly string[]): Section['facts'] {
  return notes.map((note) => ({ label: 'note', details: [['', note]] }));
}
