import { describe, expect, it } from 'vitest';
import {
  type Answering,
  answerLines,
  answerSentences,
  asAnswers,
  inBrief,
} from '../../../src/display/terminal/answers.ts';

const answers = asAnswers(
  [
    { rule: 'total', text: 'The total' },
    { rule: 'ask', text: 'Ask Acme' },
    { rule: 'origin', text: 'Half is estimated' },
    { rule: 'direction', text: 'It rose' },
    { rule: 'write', text: 'Write to Bolt' },
    { rule: 'scope', text: 'Two methods are mixed' },
  ],
  {
    ask: 'steps',
    origin: 'sure',
    direction: 'way',
    write: 'steps',
    scope: 'sure',
    total: 'amount',
  },
);

describe('answers', () => {
  it('follow the order of the questions, the title without one first', () => {
    expect(answerSentences(answers)).toEqual([
      'The total',
      'Trend: It rose',
      'How sure: Half is estimated',
      'How sure: Two methods are mixed',
      'First steps: 1. Ask Acme',
      'First steps: 2. Write to Bolt',
    ]);
  });

  it('have each question once in lines, and numbers if they are steps', () => {
    expect(answerLines(answers).map(({ label, text }) => `${label}|${text}`)).toEqual([
      '|The total',
      'Trend|It rose',
      'How sure|Half is estimated',
      '|Two methods are mixed',
      'First steps|1. Ask Acme',
      '|2. Write to Bolt',
    ]);
  });

  it('number no single step', () => {
    const [line] = answerLines([{ question: 'steps', text: 'Ask Acme' }]);
    expect(line).toEqual({ label: 'First steps', text: 'Ask Acme', isNumbered: false });
  });
});

const stepsOf = (number: number) =>
  Array.from({ length: number }, (_, at) => ({ question: 'steps', text: `${at + 1}` }) as const);

describe('inBrief', () => {
  it.each([
    [3, ['1', '2', '3'], 0],
    [4, ['1', '2', '3', '4'], 0],
    [5, ['1', '2', '3'], 2],
    [8, ['1', '2', '3'], 5],
  ])('of %i steps has the first ones, and counts the others', (number, shown, later) => {
    const { answers, laterSteps } = inBrief(stepsOf(number));
    expect(answers.map(({ text }) => text)).toEqual(shown);
    expect(laterSteps).toBe(later);
  });

  it('is without what only explains another answer', () => {
    const all: readonly (Answering & { readonly text: string })[] = [
      { text: 'title' },
      { question: 'sure', text: 'limit' },
      { question: 'sure', text: 'scopes', isDetail: true },
      ...stepsOf(1),
    ];
    expect(inBrief(all).answers.map(({ text }) => text)).toEqual(['title', 'limit', '1']);
  });
});
