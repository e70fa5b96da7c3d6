/* Compares reports with an independent program, which was written from the documents alone. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { close } from '../../support/close.ts';
import { itNeeds, python } from '../../support/programs.ts';
import { snapshotOf, summarize } from './inputs.ts';
import { documentsOf, portfolios } from './portfolios.ts';

itNeeds('python3', 'an independent recomputation gives the statements of reports', async () => {
  const all = portfolios().map(documentsOf);
  const output = execFileSync(python, ['-B', join(import.meta.dirname, 'reference.py')], {
    input: all.map((each) => JSON.stringify(each)).join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const expected = output.trim().split('\n');
  expect(expected).toHaveLength(all.length);
  for (const [index, documents] of all.entries()) {
    const { statements } = summarize(await snapshotOf(...documents)).document;
    const wanted: unknown = JSON.parse(expected[index] ?? '');
    expect(close(statements, wanted), `portfolio ${index}`).toEqual(wanted);
  }
});
