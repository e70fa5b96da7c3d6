import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordLine } from '../../../src/portfolio/records/envelope.ts';
import { openInputs } from '../../../src/portfolio/records/files.ts';
import { readSnapshot } from '../../../src/portfolio/records/records.ts';
import { UsageError } from '../../../src/runtime/carbon-error.ts';
import { newFolder } from '../../support/run.ts';
import { file, readEntries, snapshotOf } from '../report/inputs.ts';

describe('readSnapshot', () => {
  it('reads what batch prints, and counts what has no record', async () => {
    const { entries, counts } = await snapshotOf(
      { line: 2, ok: true, id: '7', status: 'synced', record: { id: 7, name: 'Acme' } },
      { line: 3, ok: true, id: '8', skipped: true },
      { line: 4, ok: true, id: '7', duplicate_of: 2 },
      { line: 5, ok: false, error: { code: 'rejected' } },
      { ok: false, id: '12', error: { code: 'not_found' } },
      { error: { code: 'network' } },
      { warning: 'x' },
      { ok: true, record: null },
    );
    expect(entries.map(({ name }) => name)).toEqual(['Acme']);
    expect(counts).toMatchObject({ records: 1, failed: 3, withoutRecord: 4 });
  });

  it('ends between small files when the run is stopped', async () => {
    const folder = newFolder();
    const paths = Array.from({ length: 50 }, (_, index) => join(folder, `${index}.ndjson`));
    for (const path of paths) writeFileSync(path, `{"id":1,"name":"${'x'.repeat(100_000)}"}\n`);
    const stop = new AbortController();
    const inputs = await openInputs(paths, { signal: stop.signal });
    setImmediate(() => stop.abort(new Error('stopped')));
    await expect(readSnapshot(inputs, () => undefined)).rejects.toThrow('stopped');
  });

  it('reads records that have members of the names that carbon uses around records', async () => {
    const record = { name: 'Acme', status: 'synced', score: 0.5 };
    const documents = [
      { ...record, ok: true },
      { ...record, ok: false },
      { ...record, record: 'Guinness' },
      { ...record, record: { id: 99, name: 'Other' } },
      { ...record, error: null, ok: false, line: 'A' },
      { ...record, error: { message: 'own' }, ok: false },
      { line: 2, ok: true, record: { id: 6, ...record, ok: false, record: 1, line: 3 } },
      { line: 2, ok: true, record: { id: 7, ...record }, quarter: 'Q1' },
    ];
    const { entries, counts } = await snapshotOf(...documents.map((each, id) => ({ id, ...each })));
    expect(entries.map(({ id, name }) => [id, name])).toEqual(
      documents.map((_, id) => [id, 'Acme']),
    );
    expect(counts).toMatchObject({ records: 8, failed: 0, withoutRecord: 0 });
  });

  it('reads how a record was retrieved from the line around it', async () => {
    const known = {
      service: 'https://api.example.com',
      currency: 'EUR',
      retrievedAt: '2026-01-15T09:30:00.000Z',
    };
    const lines = [
      recordLine(7, known, '{"id":7,"name":"Acme"}'),
      recordLine(8, { ...known, currency: undefined }, '{"id":8,"currency":"CHF"}'),
      '{"ok":true,"id":9,"currency":"euro","retrieved_at":"yesterday","record":{"id":9}}\n',
      '{"id":10,"name":"Bare","currency":"EUR","retrieved_at":"2026-01-15T09:30:00Z"}\n',
    ];
    const read: unknown[] = [];
    await readSnapshot([file(lines.join(''))], ({ id }, _, { json, ...retrieval }) => {
      read.push([id, retrieval.service, retrieval.currency, retrieval.retrievedAt, json()]);
    });
    const { service, currency, retrievedAt } = known;
    expect(read).toEqual([
      [7, service, currency, retrievedAt, '{"id":7,"name":"Acme"}'],
      [8, service, undefined, retrievedAt, '{"id":8,"currency":"CHF"}'],
      [9, undefined, undefined, undefined, '{"id":9}'],
      [10, undefined, undefined, undefined, lines[3]?.trim()],
    ]);
  });

  it('counts records without an id one by one, and those with unexpected values', async () => {
    const { entries, counts } = await snapshotOf(
      { name: 'A' },
      { name: 'A' },
      { id: '', name: 'B' },
      { id: 1, score: 'high', name: 'C' },
    );
    expect(entries.map(({ name, score }) => [name, score])).toEqual([
      ['A', undefined],
      ['A', undefined],
      ['B', undefined],
      ['C', undefined],
    ]);
    expect(counts).toMatchObject({ withoutId: 3, unexpected: 1 });
  });

  it.each([
    ['12', 'a.ndjson, line 1 is not a record', 'Records are objects'],
    ['[{"id":1}]', 'a.ndjson, line 1 is not a record', 'Records are objects'],
    ['{"id":12345678901234567890}', 'a.ndjson, line 1: the id is too large', 'in quotes'],
  ])('refuses %s', async (text, message, hint) => {
    const error: unknown = await readEntries([file(text)]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toContain(message);
    expect((error as UsageError).hint).toContain(hint);
  });
});
