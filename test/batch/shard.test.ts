import { describe, expect, it } from 'vitest';
import { failedFile, journalFile } from '../../src/batch/journal/paths.ts';
import { readShard } from '../../src/batch/shard.ts';

describe('readShard', () => {
  it.each([
    ['2/8', {}, { index: 2, count: 8 }],
    ['auto/8', { JOB_COMPLETION_INDEX: '0' }, { index: 1, count: 8 }],
    ['auto/8', { AWS_BATCH_JOB_ARRAY_INDEX: '7' }, { index: 8, count: 8 }],
    [
      'auto',
      { AWS_BATCH_JOB_ARRAY_INDEX: '7', AWS_BATCH_JOB_ARRAY_SIZE: '8' },
      { index: 8, count: 8 },
    ],
    [
      'auto',
      { SLURM_ARRAY_TASK_ID: '4', SLURM_ARRAY_TASK_MIN: '1', SLURM_ARRAY_TASK_COUNT: '4' },
      { index: 4, count: 4 },
    ],
    [
      'auto/4',
      { SLURM_ARRAY_TASK_ID: '0', SLURM_ARRAY_TASK_MIN: '0', SLURM_ARRAY_TASK_COUNT: '4' },
      { index: 1, count: 4 },
    ],
    ['auto/8', { SLURM_ARRAY_TASK_ID: '3' }, { index: 3, count: 8 }],
  ])('reads %s with %j', (text, env, shard) => {
    const readings: string[] = [];
    expect(readShard(text, env, (reading) => readings.push(reading))).toEqual(shard);
    expect(readings).toEqual([]);
  });

  it('refuses auto/8 in an AWS Batch array of another size', () => {
    const env = { AWS_BATCH_JOB_ARRAY_INDEX: '3', AWS_BATCH_JOB_ARRAY_SIZE: '4' };
    expect(() => readShard('auto/8', env, () => undefined)).toThrow(
      '--shard auto/8: the array has 4 tasks, not 8',
    );
  });

  const slurm = (id: number, count: number, min: number) => ({
    SLURM_ARRAY_TASK_ID: `${id}`,
    SLURM_ARRAY_TASK_COUNT: `${count}`,
    SLURM_ARRAY_TASK_MIN: `${min}`,
    SLURM_ARRAY_TASK_STEP: '1',
  });

  it.each([
    [
      '--array=5,6',
      slurm(5, 2, 5),
      5,
      'The Slurm array has 2 tasks, not 8: task 5 is shard 5 of 8',
    ],
    [
      '--array=5,6',
      slurm(6, 2, 5),
      6,
      'The Slurm array has 2 tasks, not 8: task 6 is shard 6 of 8',
    ],
    ['--array=8', slurm(8, 1, 8), 8, 'The Slurm array has 1 task, not 8: task 8 is shard 8 of 8'],
  ])(
    'reads the tasks of %s with %j as shards of auto/8, and reports it',
    (_, env, index, reading) => {
      const readings: string[] = [];
      expect(readShard('auto/8', env, (text) => readings.push(text))).toEqual({ index, count: 8 });
      expect(readings).toEqual([reading]);
    },
  );

  it.each([
    ['0 itself', slurm(0, 2, 0), 'and its ids start at 0; shard numbers start at 1'],
    ['another than 0', slurm(5, 2, 0), 'and its ids start at 0; shard numbers start at 1'],
    ['a number above 8', slurm(9, 2, 5), 'SLURM_ARRAY_TASK_ID is 9'],
  ])(
    'refuses auto/8 where a Slurm array of another size has task 0, or the task is %s',
    (_, env, message) => {
      expect(() => readShard('auto/8', env, () => undefined)).toThrow(
        expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }),
      );
    },
  );

  it.each([
    ['0/8', {}],
    ['9/8', {}],
    ['8', {}],
    ['a/b', {}],
    ['auto', {}],
    ['auto', { JOB_COMPLETION_INDEX: '1' }],
    ['auto/8', { JOB_COMPLETION_INDEX: '8' }],
  ])('refuses %s with %j', (text, env) => {
    expect(() => readShard(text, env, () => undefined)).toThrow(
      expect.objectContaining({ name: 'UsageError' }),
    );
  });

  it.each([
    ['JOB_COMPLETION_INDEX', '0.5'],
    ['JOB_COMPLETION_INDEX', ' 2'],
    ['AWS_BATCH_JOB_ARRAY_INDEX', '-1'],
    ['AWS_BATCH_JOB_ARRAY_INDEX', '1e0'],
    ['SLURM_ARRAY_TASK_ID', 'x'],
    ['SLURM_ARRAY_TASK_ID', '0x1'],
  ])('names %s and its value if that is "%s"', (name, value) => {
    expect(() => readShard('auto/8', { [name]: value }, () => undefined)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: `--shard auto: ${name} is "${value}", not a whole number from 0`,
      }),
    );
  });

  it.each([
    ['JOB_COMPLETION_INDEX', 'is 8, which counts from 0'],
    ['AWS_BATCH_JOB_ARRAY_INDEX', 'is 8, which counts from 0'],
    ['SLURM_ARRAY_TASK_ID', 'is 9'],
  ])('names %s and its value if that is above the number of shards', (name, value) => {
    const env = { [name]: name.startsWith('SLURM') ? '9' : '8' };
    expect(() => readShard('auto/8', env, () => undefined)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: `--shard: "auto/8" is not a shard: ${name} ${value}`,
      }),
    );
  });

  it.each([
    [{ SLURM_ARRAY_TASK_COUNT: '3.5' }, 'SLURM_ARRAY_TASK_COUNT is "3.5"'],
    [{ SLURM_ARRAY_TASK_STEP: '0' }, 'SLURM_ARRAY_TASK_STEP is "0"'],
    [{ SLURM_ARRAY_TASK_MIN: '1', SLURM_ARRAY_TASK_STEP: '2' }, 'SLURM_ARRAY_TASK_ID is 2'],
  ])('refuses a Slurm task with %j', (env, message) => {
    expect(() =>
      readShard('auto/8', { SLURM_ARRAY_TASK_ID: '2', ...env }, () => undefined),
    ).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }),
    );
  });

  it('gives each shard files of its own', () => {
    const shard = { index: 2, count: 8 };
    expect(journalFile('/d/suppliers.csv', undefined, shard)).toBe(
      '/d/suppliers.csv.2-of-8.carbon.jsonl',
    );
    expect(journalFile('/d/suppliers.csv', '/j/mine.jsonl', shard)).toBe('/j/mine.2-of-8.jsonl');
    expect(failedFile('/d/suppliers.csv', '', { shard })).toBe('/d/suppliers.2-of-8.failed.csv');
    expect(failedFile('/d/suppliers.csv', '')).toBe('/d/suppliers.failed.csv');
    expect(failedFile('/d/suppliers', '')).toBe('/d/suppliers.failed.csv');
    expect(failedFile(undefined, '/j/night.carbon.jsonl')).toBe('/j/night.failed.csv');
    expect(failedFile('/d/suppliers.tsv.gz', '')).toBe('/d/suppliers.failed.tsv');
    const isWorkbook = true;
    expect(failedFile('/d/a.xlsx', '', { isWorkbook })).toBe('/d/a.failed.xlsx');
    expect(failedFile('/d/a.xlsm', '', { isWorkbook, shard })).toBe('/d/a.2-of-8.failed.xlsx');
    expect(failedFile('/d/a.csv', '', { isWorkbook })).toBe('/d/a.csv.failed.xlsx');
  });
});
