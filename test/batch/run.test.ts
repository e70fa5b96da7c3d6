import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../src/api/errors.ts';
import { exitOf } from '../../src/cli/commands/batch/summary.ts';
import { BatchFixture, CountingService, idsByLine } from './batch-fixture.ts';

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

  it('writes refused rows to the failed-rows file and does not send them again unchanged', async () => {
    const api = new CountingService((body) => {
      if (body.name === 'Beta SA')
        throw new RefusedError('The service rejected Beta SA (422): no', { status: 422 });
    });
    const fixture = new BatchFixture(file, api);
    const first = await fixture.run();
    expect(exitOf(first.outcome)).toBe(9);
    expect(readFileSync(first.failed, 'utf8')).toBe(
      '\ufeffCompany Name,Country,LEI,carbon_line,carbon_error\nBeta SA,United Kingdom (UK),,3,The service rejected Beta SA (422): no\n',
    );
    const second = await fixture.run();
    expect([second.sent, exitOf(second.outcome), second.failedRows]).toEqual([[], 9, 1]);
    const third = await fixture.run({ retryFailed: true });
    expect(third.sent).toEqual([{ name: 'Beta SA', hq_region: 'GB' }]);
    expect(existsSync(third.failed)).toBe(true);
  });
});
