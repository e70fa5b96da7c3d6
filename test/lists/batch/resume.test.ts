import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RejectedError } from '../../../src/client/api/errors.ts';
import { runs } from '../../support/seed.ts';
import { BatchFixture, CountingService, idsByLine } from './batch-fixture.ts';

const names = fc.array(fc.constantFrom(...'abcdefghij'), { minLength: 1, maxLength: 14 });
const table = (rows: readonly string[]) =>
  `name,note\n${rows.map((name, index) => `${name},${index}\n`).join('')}`;
const refusesJ = (body: { name: string }) => {
  if (body.name === 'j')
    throw new RejectedError('no', { status: 422, title: 'Unrecognized', detail: 'j}' });
};

const isJson = (line: string) => {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
};

/*
 * Wherever the journal is truncated and however the file is edited, the next run sends exactly the
 * rows that the journal does not record. No id changes, and the run after it sends nothing.
 */
describe('Batch.send, after an earlier run', () => {
  it('registers exactly the missing rows when the journal is truncated and the file edited', {
    tags: ['property'],
  }, async () => {
    const fixture = new BatchFixture('');
    const path = `${fixture.path}.carbon.jsonl`;
    await fc.assert(
      fc.asyncProperty(
        names,
        names,
        fc.nat(),
        fc.boolean(),
        async (before, after, cut, isRefusing) => {
          const api = new CountingService(isRefusing ? refusesJ : undefined);
          fixture.api = api;
          const night = (rows: readonly string[]) => {
            fixture.write(table(rows));
            return fixture.run();
          };
          writeFileSync(path, '');
          const first = await night(before);
          expect(new Set(first.sent.map(({ name }) => name))).toEqual(new Set(before));
          expect(first.sent).toHaveLength(new Set(before).size);

          const journal = readFileSync(path);
          const kept = journal.subarray(0, cut % (journal.length + 1));
          writeFileSync(path, kept);
          // The last line counts without its line feed when it is complete.
          const lines = kept.toString().split('\n').slice(1).filter(isJson);
          const known = new Set(
            lines.map((line) => before[(JSON.parse(line) as { line: number }).line - 2]),
          );

          const second = await night(after);
          expect(second.sent.map(({ name }) => name).sort()).toEqual(
            [...new Set(after)].filter((name) => !known.has(name)).sort(),
          );
          expect(second.outcome.left).toBe(0);
          for (const [line, id] of idsByLine(second.events)) {
            expect(id).toBe(api.ids.get(JSON.stringify({ name: after[line - 2] })));
          }
          expect(second.events).toHaveLength(after.length);

          const third = await night(after.toReversed());
          expect(third.sent).toEqual([]);
          expect(third.events).toHaveLength(after.length);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it('counts the rows in journals of shards that version 0.2.0 wrote', async () => {
    const list = 'Firm,Land\nAcme,DE\nBeta,FR\n';
    const fixture = new BatchFixture(list);
    const header =
      '{"carbon":"journal","version":1,"keys":1,"service":"https://api.example.com/v1","profile":"default","mapping":{"name":"Firm","hq_region":"Land"}}';
    const row = (key: string, id: number, line: number) =>
      `{"key":"${key}","id":${`${id}`.padStart(19)},"line":${line},"status":"created","at":"2026-01-15T09:30:00.000Z"}`;
    const rows = [
      row('862b0d503908c03a26f96ab68b7767ef', 1, 3),
      row('ee3510918c4a9e8f6b27a2391d4c7b18', 3, 2),
    ];
    for (const [at, text] of rows.entries())
      writeFileSync(`${fixture.path}.${at + 1}-of-2.carbon.jsonl`, `${header}\n${text}\n`);
    const { sent, events } = await fixture.run();
    expect(sent).toEqual([]);
    expect(events.map((event) => [event.line, 'id' in event && event.id])).toEqual([
      [2, 3],
      [3, 1],
    ]);
    fixture.write(`${list}Omega,JP\n`);
    expect((await fixture.run()).sent).toEqual([{ name: 'Omega', hq_region: 'JP' }]);
    expect((await fixture.run({ restart: true, map: ['name=Firm'] })).sent).toHaveLength(3);
    const files = readdirSync(fixture.folder).filter((name) => name.includes('-of-'));
    expect(files.map((name) => name.endsWith('.previous'))).toEqual([true, true]);
  });
});

describe('Batch', () => {
  it('sends a row that equals an invalid row before it', async () => {
    const fixture = new BatchFixture('name,hq_region\na,DE,extra\na,DE\na,DE\n');
    const { preflight, events, outcome } = await fixture.run();
    expect(preflight.counts).toMatchObject({ new: 1, duplicate: 1, invalid: 1 });
    expect(events.map(({ kind, line }) => [kind, line])).toEqual([
      ['invalid', 2],
      ['registered', 3],
      ['duplicate', 4],
    ]);
    expect(outcome.stop).toBeUndefined();
  });

  it('sends equal rows that the service refused once more with retryFailed', async () => {
    const rows = table(['j', ...'abcdefghi', 'j']);
    const fixture = new BatchFixture(rows, new CountingService(refusesJ));
    await fixture.run();
    const { sent, events } = await fixture.run({ retryFailed: true, concurrency: 1 });
    expect(sent).toEqual([{ name: 'j' }]);
    const refused = events.filter(({ kind }) => kind === 'rejected');
    expect(refused).toMatchObject([
      { line: 2, earlier: false },
      { line: 12, earlier: false },
    ]);
  });
});
