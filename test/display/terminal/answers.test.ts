import { describe, expect, it } from 'vitest';
import { answerLines, answerSentences, asAnswers } from '../../../src/display/terminal/answers.ts';

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
