import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeMetrics } from '../../src/metrics/metrics.ts';
import type { RunDocument } from '../../src/metrics/run-document.ts';
import { newFolder } from '../support/run.ts';
import { runs } from '../support/seed.ts';

const now = Date.UTC(2026, 0, 2);
const time = (ms: number) => new Date(ms).toISOString();
const failed: RunDocument = {
  kind: 'carbon_run',
  command: 'batch',
  version: '1.2.3',
  exit: 6,
  dry_run: false,
  synthetic: false,
  started_at: time(now - 1_500),
  ended_at: time(now),
  last_success_at: null,
  duration_ms: 1_500,
  subject: 'rows',
  outcomes: { registered: 3, rejected: 1 },
  left: 2,
  requests: 9,
  responses: { 200: 3, 429: 5 },
  permitted_requests_per_second: 12.346,
};
const isInstalled = spawnSync('promtool', ['--version']).status === 0;

async function write(path: string, run: RunDocument = failed): Promise<string> {
  await writeMetrics(path, run);
  return readFileSync(path, 'utf8');
}

describe('writeMetrics', () => {
  it.skipIf(!isInstalled)('passes promtool check metrics (skipped without promtool)', async () => {
    for (const task of ['suppliers', 'a"b\\c\nd\u0007', 'é']) {
      const input = await write(join(newFolder(), `${task}.prom`));
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
        input,
        encoding: 'utf8',
      });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    }
  });

  it('gives every metric one HELP and one TYPE line, and ends with a line break', async () => {
    const text = await write(join(newFolder(), 'suppliers.eu.prom'));
    const lines = text.split('\n');
    const namesOf = (prefix: string) =>
      lines.filter((line) => line.startsWith(prefix)).map((line) => line.split(' ')[2]);
    expect(namesOf('# HELP ')).toEqual(namesOf('# TYPE '));
    expect(new Set(namesOf('# HELP ')).size).toBe(namesOf('# HELP ').length);
    expect(text.endsWith('\n')).toBe(true);
    expect(text).toContain(
      'carbon_run_responses{command="batch",task="suppliers.eu",status="429"} 5',
    );
    expect(text).toContain('carbon_batch_rows_left{command="batch",task="suppliers.eu"} 2');
  });

  it.each(['prom', 'json'])('keeps the time of the last success in .%s', async (extension) => {
    const times = fc.integer({ min: 1, max: now });
    await fc.assert(
      fc.asyncProperty(times, fc.nat(3), async (endedAt, failures) => {
        const path = join(newFolder(), `run "${failures}".${extension}`);
        const success = { ended_at: time(endedAt), last_success_at: time(endedAt), exit: 0 };
        const [line = ''] =
          /^.*last_success.*\d.*$/m.exec(await write(path, { ...failed, ...success })) ?? [];
        for (let run = 0; run < failures; run += 1) expect(await write(path)).toContain(line);
        expect(await write(path, { ...failed, command: 'watch' })).not.toContain(line);
      }),
      { numRuns: runs(20) },
    );
  });

  it.each(['prom', 'json'])('replaces no .%s that carbon did not write', async (extension) => {
    for (const text of ['{}', 'name\nAcme\n', '# a comment\n', 'null', ' ']) {
      const path = join(newFolder(), `run.${extension}`);
      writeFileSync(path, text);
      await expect(write(path)).rejects.toThrow('carbon did not write the existing file');
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });
});
