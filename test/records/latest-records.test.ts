import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LatestRecords } from '../../src/records/latest-records.ts';
import { LocalError } from '../../src/runtime/carbon-error.ts';
import { newFolder } from '../support/run.ts';

const forever = new AbortController().signal;
const id = fc.oneof(
  fc.nat(9),
  fc.constantFrom('1', '01', '1e3', '1 ', '__proto__', '-0'),
  fc.constant(undefined),
);
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const records = fc.array(fc.tuple(id, text), { maxLength: 60 });

async function latestOf(portfolio: LatestRecords): Promise<string[]> {
  const texts: string[] = [];
  for await (const text of portfolio.latest()) texts.push(text);
  return texts;
}

/** Creates a list that uses the disk after some bytes. */
async function keep(
  all: readonly (readonly [string | number | undefined, string])[],
  options: { folder: string; blockBytes: number; signal?: AbortSignal },
): Promise<string[]> {
  const portfolio = new LatestRecords({ signal: forever, ...options });
  try {
    for (const [key, text] of all) await portfolio.add(text, key);
    return await latestOf(portfolio);
  } finally {
    await portfolio.close();
  }
}

describe('LatestRecords', () => {
  it('has the latest record of each organization, in memory and on the disk', {
    tags: ['property'],
  }, async () => {
    const folder = newFolder();
    await fc.assert(
      fc.asyncProperty(records, fc.constantFrom(1, 16, 100, 1 << 20), async (all, blockBytes) => {
        const latest = all.filter(
          ([key], index) =>
            key === undefined || !all.slice(index + 1).some(([later]) => later === key),
        );
        const texts = await keep(all, { folder, blockBytes });
        expect(texts).toEqual(latest.map(([, text]) => text));
        expect(readdirSync(folder)).toEqual([]);
      }),
    );
  });

  it('leaves no file in the directory even while it is open', async () => {
    const folder = newFolder();
    const portfolio = new LatestRecords({ signal: forever, folder, blockBytes: 8 });
    for (const key of [1, 2, 3]) await portfolio.add('some text', key);
    expect(readdirSync(folder)).toEqual([]);
    expect(await latestOf(portfolio)).toHaveLength(3);
    await portfolio.close();
  });

  it('stays in memory where no temporary file can be made', async () => {
    const folder = join(newFolder(), 'missing');
    const all = [1, 2, 1].map((key, index) => [key, `record ${index}`] as const);
    expect(await keep(all, { folder, blockBytes: 4 })).toEqual(['record 1', 'record 2']);
  });

  it('names the directory when the disk is full', async () => {
    const folder = newFolder();
    const portfolio = new LatestRecords({ signal: forever, folder, blockBytes: 8 });
    await portfolio.add('some text', 1);
    await portfolio.add('some text', 2);
    // The closed file makes the next write fail with an error of the system.
    await portfolio.close();
    const error: unknown = await portfolio.add('some text', 3)?.catch((thrown: unknown) => thrown);
    // The texts of the failed write are lost, so no later call may succeed.
    await expect(portfolio.add('some text', 4)).rejects.toBe(error);
    expect(error).toBeInstanceOf(LocalError);
    expect((error as LocalError).message).toContain(
      `A temporary file in ${folder} cannot be written`,
    );
    expect((error as LocalError).hint).toContain('TMPDIR');
  });

  it('ends when it is interrupted', async () => {
    const stop = new AbortController();
    const portfolio = new LatestRecords({
      signal: stop.signal,
      folder: newFolder(),
      blockBytes: 8,
    });
    for (const key of [1, 2, 3]) await portfolio.add('some text', key);
    stop.abort(new Error('enough'));
    await expect(latestOf(portfolio)).rejects.toThrow('enough');
    await portfolio.close();
  });
});
