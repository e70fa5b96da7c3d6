import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { identityKey } from '../../../src/batch/row-key.ts';
import { JournalIds } from '../../../src/footprint/records/journal-ids.ts';
import { newFolder, run } from '../../support/run.ts';

const sandbox = { service: 'sandbox', profile: 'sandbox' };
const keyOf = (name: string) => identityKey('sandbox', { name });

/* Registers rows with a batch and returns the path of the file. */
async function registered(names: readonly string[], argv: readonly string[] = []): Promise<string> {
  const path = join(newFolder(), 'suppliers.csv');
  writeFileSync(path, `name\n${names.join('\n')}\n`);
  await run(['batch', path, '--sandbox', ...argv]);
  return path;
}

describe('JournalIds', () => {
  it('finds the ids of registered rows', async () => {
    const path = await registered(['Acme AG', 'Globex']);
    const ids = await JournalIds.read({ path, journal: undefined, current: sandbox });
    expect(['Acme AG', 'Globex', 'Initech'].map((name) => ids?.find(keyOf(name)))).toEqual([
      expect.any(Number),
      expect.any(Number),
      undefined,
    ]);
    expect(ids?.mappings).toMatchObject([{ columns: { name: 'name' } }]);
  });

  it('reads a journal whose last line is truncated, as during a run', async () => {
    const path = await registered(['Acme AG']);
    const journal = `${path}.carbon.jsonl`;
    writeFileSync(journal, `{"key":"${keyOf('Globex')}","id":     `, { flag: 'a' });
    writeFileSync(`${journal}.lock`, '{}');
    const ids = await JournalIds.read({ path, journal: undefined, current: sandbox });
    expect(ids?.find(keyOf('Acme AG'))).toEqual(expect.any(Number));
    expect(ids?.find(keyOf('Globex'))).toBeUndefined();
  });

  it('reads the journals of all shards', async () => {
    const names = ['Acme AG', 'Globex', 'Initech', 'Umbrella', 'Hooli'];
    const path = await registered(names, ['--shard', '1/2']);
    await run(['batch', path, '--sandbox', '--shard', '2/2']);
    const ids = await JournalIds.read({ path, journal: undefined, current: sandbox });
    expect(names.map((name) => typeof ids?.find(keyOf(name)))).toEqual(names.map(() => 'number'));
  });

  it('accepts the service of the journal when none is configured', async () => {
    const path = await registered(['Acme AG']);
    const ids = await JournalIds.read({ path, journal: undefined, current: undefined });
    expect(ids?.service).toBe('sandbox');
  });

  it('rejects the journal of another service', async () => {
    const path = await registered(['Acme AG']);
    const current = { service: 'https://api.example.com', profile: 'default' };
    await expect(JournalIds.read({ path, journal: undefined, current })).rejects.toMatchObject({
      message: `The journal ${path}.carbon.jsonl belongs to sandbox (profile sandbox), but this run uses https://api.example.com (profile default)`,
      hint: 'Use --sandbox to select the service that registered the rows, or --journal to name another journal.',
    });
  });

  it('rejects a named journal that does not exist', async () => {
    const path = await registered([]);
    await expect(
      JournalIds.read({ path, journal: 'none.jsonl', current: sandbox }),
    ).rejects.toThrow('--journal: none.jsonl: no such file or directory');
  });

  it('rejects a directory with the name of the journal', async () => {
    const path = join(newFolder(), 'suppliers.csv');
    mkdirSync(`${path}.carbon.jsonl`);
    await expect(JournalIds.read({ path, journal: undefined, current: sandbox })).rejects.toThrow(
      'is not a carbon journal',
    );
  });

  it('returns undefined for a file without a journal', async () => {
    const path = join(newFolder(), 'suppliers.csv');
    expect(await JournalIds.read({ path, journal: undefined, current: sandbox })).toBeUndefined();
  });
});
