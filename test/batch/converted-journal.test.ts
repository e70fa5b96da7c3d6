import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RefusedError } from '../../src/errors.ts';
import { CountingService, Nightly } from './nightly.ts';

const refusesBeta = ({ name }: { name: string }) => {
  if (name === 'Beta') throw new RefusedError('no', { status: 422, detail: 'Not known.' });
};

async function journalOf(rows: string) {
  const nightly = new Nightly(rows, new CountingService(refusesBeta));
  const { journal } = await nightly.run();
  return { nightly, journal, text: readFileSync(journal, 'utf8') };
}

const header = (text: string) => text.slice(0, text.indexOf('\n'));

it.each([
  ['no line feeds', (text: string) => text.replaceAll('\n', '')],
  ['spaces for line feeds', (text: string) => text.replaceAll('\n', ' ')],
  ['U+0085 for line feeds', (text: string) => text.replaceAll('\n', '\u0085')],
  ['a backslash and n for line feeds', (text: string) => text.replaceAll('\n', '\\n')],
  ['a NUL in a truncated first line', (text: string) => `${header(text).slice(0, -20)}\0`],
  ['a first line with more behind it', (text: string) => `${header(text)}x`],
])('does not truncate a journal with %s', async (_, convert) => {
  const { nightly, journal, text } = await journalOf('name\nAcme\nBeta\n');
  const converted = convert(text);
  writeFileSync(journal, converted);
  const sent = nightly.api.bodies.length;
  await expect(nightly.run()).rejects.toMatchObject({
    exit: 2,
    message: `${journal} is not a journal of carbon`,
    hint: expect.stringContaining('It is left as it is'),
  });
  expect([readFileSync(journal, 'utf8'), nightly.api.bodies.length]).toEqual([converted, sent]);
});

it('begins a journal anew only when its first line was truncated', async () => {
  const { nightly, journal, text } = await journalOf('name\nAcme\n');
  await fc.assert(
    fc.asyncProperty(fc.nat(header(text).length), async (cut) => {
      writeFileSync(journal, text.slice(0, cut));
      await nightly.run();
      expect(header(readFileSync(journal, 'utf8'))).toBe(header(text));
      expect((await nightly.run()).sent).toEqual([]);
    }),
    { numRuns: 30 },
  );
});
