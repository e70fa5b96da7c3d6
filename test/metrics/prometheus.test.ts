import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMetrics, renderMetrics, taskOf } from '../../src/metrics/prometheus.ts';
import type { RunNumbers } from '../../src/metrics/run-recorder.ts';
import { readRunSummary, renderRunSummary } from '../../src/metrics/run-summary.ts';
import { runs } from '../support/seed.ts';

const now = Date.UTC(2026, 0, 2);
const run: RunNumbers = {
  command: 'batch',
  version: '1.2.3',
  startedAt: now - 1_500,
  endedAt: now,
  durationMs: 1_500,
  exit: 6,
  isSuccess: false,
  isDryRun: false,
  isSynthetic: false,
  work: { subject: 'rows', outcomes: { registered: 3, refused: 1 }, left: 2 },
  requests: 9,
  responses: new Map([
    [200, 3],
    [429, 5],
  ]),
  permittedRate: 12.3456,
};
const isInstalled = spawnSync('promtool', ['--version']).status === 0;

describe('renderMetrics', () => {
  it.skipIf(!isInstalled)('passes promtool check metrics (skipped without promtool)', () => {
    for (const task of ['suppliers', 'a"b\\c\nd\u0007', 'é']) {
      const input = renderMetrics(run, task, now - 86_400_000);
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
        input,
        encoding: 'utf8',
      });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    }
  });

  it('gives every metric one HELP and one TYPE line, and ends with a line break', () => {
    const text = renderMetrics(run, 'suppliers', now);
    const lines = text.split('\n');
    const namesOf = (prefix: string) =>
      lines.filter((line) => line.startsWith(prefix)).map((line) => line.split(' ')[2]);
    expect(namesOf('# HELP ')).toEqual(namesOf('# TYPE '));
    expect(new Set(namesOf('# HELP ')).size).toBe(namesOf('# HELP ').length);
    expect(text.endsWith('\n')).toBe(true);
    expect(text).toContain('carbon_run_responses{command="batch",task="suppliers",status="429"} 5');
    expect(text).toContain('carbon_batch_rows_left{command="batch",task="suppliers"} 2');
  });
});

describe('taskOf', () => {
  it.each([
    ['/var/lib/node_exporter/suppliers.prom', 'suppliers'],
    ['suppliers.eu.prom', 'suppliers.eu'],
    ['.prom', '.prom'],
  ])('returns the name of %s without its extension', (path, task) => {
    expect(taskOf(path)).toBe(task);
  });
});

describe('the time of the last success', () => {
  const times = fc.integer({ min: 0, max: now });

  it('survives any number of failed runs, in both files', () => {
    fc.assert(
      fc.property(times, fc.string({ unit: 'binary' }), (time, task) => {
        const metrics = readMetrics(renderMetrics(run, task, time), 'batch', task, now);
        expect(metrics).toEqual({ isOurs: true, lastSuccessAt: time });
        const summary = readRunSummary(renderRunSummary(run, time), 'batch', now);
        expect(summary).toEqual({ isOurs: true, lastSuccessAt: time });
      }),
      { numRuns: runs(200) },
    );
  });

  it.each(['NaN', '+Inf', '-1', '1e9', '', '0x10', '5 1700000000', '99999999999'])(
    'is invalid as %s',
    (value) => {
      const text = renderMetrics(run, 'suppliers', 5_000).replace(
        /^(carbon_last_success\S+) .*$/m,
        `$1 ${value}`,
      );
      expect(readMetrics(text, 'batch', 'suppliers', now)).toEqual({
        isOurs: true,
        isDamaged: true,
      });
    },
  );

  it('is invalid if the file has two', () => {
    const text = renderMetrics(run, 'suppliers', 5_000);
    const [line = ''] = /^carbon_last_success.*$/m.exec(text) ?? [];
    expect(readMetrics(`${text}${line}\n`, 'batch', 'suppliers', now).isDamaged).toBe(true);
  });

  it('does not count for another command or another task', () => {
    const text = renderMetrics(run, 'suppliers', 5_000);
    expect(readMetrics(text, 'watch', 'suppliers', now)).toEqual({ isOurs: true });
    expect(readMetrics(text, 'batch', 'other', now)).toEqual({ isOurs: true });
    expect(readRunSummary(renderRunSummary(run, 5_000), 'watch', now)).toEqual({ isOurs: true });
  });

  it('reads any other text as a file that carbon did not write', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(readMetrics(text, 'batch', 'suppliers', now)).toEqual({ isOurs: false });
        expect(readRunSummary(text, 'batch', now)).toEqual({ isOurs: false });
      }),
      { numRuns: runs(200) },
    );
  });
});
