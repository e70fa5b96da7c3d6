/* What every result begins with: of what and of when it is, and the statements. */
import { sanitize } from './sanitize.ts';
import { type Fact, indent, type Section } from './section.ts';
import { wrap } from './text.ts';

interface Opening {
  /** What the result is about, and of when it is: a line on a terminal. */
  readonly about: readonly string[];
  readonly statements: readonly { readonly text: string }[];
  /** What a pipe has instead of `about`. */
  readonly facts: readonly (readonly [label: string, text: string | null])[];
}

/** Returns the first section of a result: the statements first in a pipe. */
export function openingSection({ about, statements, facts }: Opening): Section {
  const fact = (label: string, text: string | null): Fact => ({ label, details: [['', text]] });
  return {
    name: 'statements',
    facts: [
      ...statements.map(({ text }) => fact('statement', text)),
      ...facts.map(([label, text]) => fact(label, text)),
    ],
    renderTerminal: (columns, style) => {
      const [title = '', ...others] = statements.map(({ text }) => sanitize(text));
      return [
        ...wrap(about.map(sanitize).join(' · '), columns),
        ...wrap(title, columns - 2).map((line) => indent(style.bold(line))),
        ...others.flatMap((text) => hanging(text, columns - 2).map(indent)),
      ];
    },
    hasTitle: false,
  };
}

function hanging(text: string, columns: number): string[] {
  return wrap(text, columns - 2).map((line, index) => (index === 0 ? line : `  ${line}`));
}
