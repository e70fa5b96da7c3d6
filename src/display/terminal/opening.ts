/* What every result begins with: of what and of when it is, and the statements. */
import { sanitize } from './sanitize.ts';
import { type Fact, indent, type Section } from './section.ts';
import { width, wrap, wrapList } from './text.ts';

interface Opening {
  /** What the result is about, and of when it is: a line on a terminal. */
  readonly about: readonly string[];
  /** What a reader of `about` must not overlook. */
  readonly mark?: string | undefined;
  readonly statements: readonly {
    readonly text: string;
    /** Returns figures behind the statement, with their pictures if a terminal can show some. */
    readonly parts?: ((pictures: boolean) => readonly string[]) | undefined;
  }[];
  /** What a pipe has instead of `about`. */
  readonly facts: readonly (readonly [label: string, text: string | null])[];
}

/**
 * Returns the first section of a result: the statements first in a pipe. A terminal has the parts
 * of a statement after it if there is room, otherwise below it.
 */
export function openingSection({ about, mark, statements, facts }: Opening): Section {
  const fact = (label: string, text: string | null): Fact => ({ label, details: [['', text]] });
  return {
    name: 'statements',
    facts: [
      ...statements.map(({ text }) => fact('statement', text)),
      ...facts.map(([label, text]) => fact(label, text)),
    ],
    renderTerminal: (columns, style, _, pictures = false) => {
      const room = columns - 2;
      const marks = mark === undefined ? [] : [mark];
      return [
        ...wrapList([...about, ...marks].map(sanitize), columns).map((line) =>
          marks.reduce((marked, each) => marked.replace(each, style.bold), line),
        ),
        ...statements.flatMap(({ text, parts }, index) => {
          const lines = index === 0 ? wrap(sanitize(text), room) : hanging(sanitize(text), room);
          const painted = index === 0 ? lines.map(style.bold) : lines;
          return withParts(painted, parts?.(pictures).map(sanitize) ?? [], room).map(indent);
        }),
      ];
    },
    hasTitle: false,
  };
}

/* Adds parts to a line if it has room for all of them, otherwise lines of whole parts. */
function withParts(lines: readonly string[], parts: readonly string[], columns: number): string[] {
  if (parts.length === 0) return [...lines];
  const joined = `${lines.join('')}   ${parts.join('  ')}`;
  if (lines.length === 1 && width(joined) <= columns) return [joined];
  const below: string[] = [];
  for (const part of parts) {
    const last = `${below.at(-1)}  ${part}`;
    if (below.length > 0 && width(last) <= columns - 2) below[below.length - 1] = last;
    else below.push(...wrap(part, columns - 2));
  }
  return [...lines, ...below.map((line) => `  ${line}`)];
}

function hanging(text: string, columns: number): string[] {
  return wrap(text, columns - 2).map((line, index) => (index === 0 ? line : `  ${line}`));
}
