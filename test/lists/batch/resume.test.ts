import { readFileSync, rmSync, writeFileSync } from 'node:fs';
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

  it('ends with an error for the journal of a part of the list, whose rows would be sent again', async () => {
    const fixture = new BatchFixture('name,country\nAcme,DE\nBeta,FR\n');
    const { journal } = await fixture.run();
    const [header, ...rows] = readFileSync(journal, 'utf8').trimEnd().split('\n');
    rmSync(journal);
    const parts = rows.map((row, at) => {
      const path = `${fixture.path}.${at + 1}-of-2.carbon.jsonl`;
      writeFileSync(path, `${header}\n${row}\n`);
      return path;
    });
    for (const choices of [{}, { dryRun: true }, { restart: true }])
      await expect(fixture.run(choices)).rejects.toMatchObject({
        name: 'UsageError',
        message: `${parts[0]} belongs to a part of ${fixture.path}, and carbon no longer reads files of parts`,
        hint: `Add them to the file of the whole list, then move them away: cat ${parts.join(' ')} >> ${journal}`,
      });
    // What the hint says.
    writeFileSync(journal, parts.map((path) => readFileSync(path)).join(''));
    for (const path of parts) rmSync(path);
    expect((await fixture.run()).sent).toEqual([]);
  });

  it('reads past the journal of another list that is called like a part', async () => {
    const fixture = new BatchFixture('name\nAcme\n');
    const { journal } = await fixture.run();
    writeFileSync(`${fixture.path}.1-of-2`, 'name\nBeta\n');
    writeFileSync(`${fixture.path}.1-of-2.carbon.jsonl`, readFileSync(journal));
    expect((await fixture.run()).sent).toEqual([]);
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
