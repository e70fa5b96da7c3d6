import { describe, expect, it } from 'vitest';
import { exitOf } from '../../src/cli/commands/batch/summary.ts';
import { BatchFixture, idsByLine } from './batch-fixture.ts';

const file =
  'Company Name,Country,LEI\nAcme AG,Deutschland,N/A\nBeta SA,"United Kingdom (UK)",\nAcme AG,Deutschland,-\n';

describe('Batch', () => {
  it('registers each organization once, reports the id of every row, and sends nothing in the next run', async () => {
    const fixture = new BatchFixture(file);
    const first = await fixture.run();
    expect(first.sent).toEqual([
      { name: 'Acme AG', hq_region: 'DE' },
      { name: 'Beta SA', hq_region: 'GB' },
    ]);
    expect(first.preflight.counts).toEqual({
      new: 2,
      done: 0,
      refused: 0,
      duplicate: 1,
      invalid: 0,
    });
    expect([...idsByLine(first.events)].sort()).toEqual([
      [2, 1],
      [3, 2],
      [4, 1],
    ]);
    expect(exitOf(first.outcome)).toBe(0);
    expect(first.outcome.left).toBe(0);

    const second = await fixture.run();
    expect(second.sent).toEqual([]);
    expect(second.events.map(({ kind, line }) => [kind, line])).toEqual([
      ['skipped', 2],
      ['skipped', 3],
      ['skipped', 4],
    ]);
  });
});
