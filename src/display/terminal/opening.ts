/* What every result begins with: the statements, and of what and of when it is. */
import {
  type Answering,
  type AnswerLine,
  answerLines,
  answerSentences,
  inBrief,
  inOrder,
} from './answers.ts';
import { count } from './format.ts';
import { sanitize } from './sanitize.ts';
import { type Fact, indent, type Section } from './section.ts';
import type { Style } from './style.ts';
import { width, wrap, wrapList } from './text.ts';

interface Opening {
  /** What the result is about, and of when it is: below the title in a terminal. */
  readonly about: readonly string[];
  /** What a reader of `about` must not overlook. */
  readonly mark?: string | undefined;
  readonly statements: readonly (Answering & {
    readonly text: string;
    /** Returns figures behind the statement, with their pictures if a terminal can show some. */
    readonly parts?: ((pictures: boolean) => readonly string[]) | undefined;
  })[];
  /** What may make all amounts wrong: below `about` in a terminal. */
  readonly alert?: string | undefined;
  /** What a pipe has instead of `about`. */
  readonly facts: readonly (readonly [label: string, text: string | null])[];
  /** Whether a terminal shows all answers, and not only those of a first screen. */
  readonly isFull?: boolean | undefined;
}

/**
 * Returns the first section of a result, which begins with the statements: a terminal has `about`
 * below the first one, and the parts of a statement after it if there is room, otherwise below it.
 * A pipe has all of them.
 */
export function openingSection({
  about,
  mark,
  alert,
  statements,
  facts,
  isFull = false,
}: Opening): Section {
  const fact = (label: string, text: string | null): Fact => ({ label, details: [['', text]] });
  const { answers, laterSteps } = isFull
    ? { answers: statements, laterSteps: 0 }
    : inBrief(statements);
  const ordered = inOrder(answers);
  const lines = answerLines(answers);
  const later = laterSteps === 0 ? [] : [`  ${count.format(laterSteps)} more steps: add --full`];
  return {
    name: 'statements',
    facts: [
      ...answerSentences(statements).map((text) => fact('statement', text)),
      ...facts.map(([label, text]) => fact(label, text)),
    ],
    renderTerminal: (columns, style, _, pictures = false) => {
      const room = columns - 2;
      const marks = mark === undefined ? [] : [mark];
      const [title, ...rows] = ordered.map(({ parts }, index) => {
        const line = lines[index] ?? { label: '', text: '', isNumbered: false };
        const wrapped =
          index === 0
            ? wrap(sanitize(line.text), columns).map(style.bold)
            : answer(line, room, style);
        return withParts(wrapped, parts?.(pictures).map(sanitize) ?? [], room);
      });
      const below = wrapList([...about, ...marks].map(sanitize), room).map((line) =>
        marks.reduce((marked, each) => marked.replace(each, style.bold), line),
      );
      const warned = alert === undefined ? [] : warning(sanitize(alert), room, style);
      return [...(title ?? []), ...[...below, ...warned, ...rows.flat(), ...later].map(indent)];
    },
    hasTitle: false,
  };
}

/** Lays out answers that stand below something else than a title: each after its question. */
export function labelledLines(
  all: Parameters<typeof answerLines>[0],
  columns: number,
  style: Style,
): string[] {
  return answerLines(all).flatMap((line) => answer(line, columns - 2, style).map(indent));
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

function warning(text: string, columns: number, style: Style): string[] {
  return wrap(text, columns - 2).map((line, at) => `${at === 0 ? style.bold('!') : ' '} ${line}`);
}

/* The label is bold; what follows without one is indented like the further lines. */
function answer({ label, text, isNumbered }: AnswerLine, columns: number, style: Style): string[] {
  const start = label === '' ? '' : `${label}: `;
  // The further lines of a step stand below its words.
  const indented = isNumbered ? '     ' : '  ';
  const [first = '', ...rest] = wrap(`${start}${sanitize(text)}`, columns - indented.length);
  const isShown = start !== '' && first.startsWith(start);
  const head = isShown ? style.bold(start.trimEnd()) + first.slice(start.length - 1) : first;
  return [label === '' ? `  ${head}` : head, ...rest.map((line) => `${indented}${line}`)];
}
