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
    ['auto', { SLURM_ARRAY_TASK_ID: '4', SLURM_ARRAY_TASK_COUNT: '4' }, { index: 4, count: 4 }],
    ['auto/8', { SLURM_ARRAY_TASK_ID: '3' }, { index: 3, count: 8 }],
    // Of `--array=5,6`.
    ['auto/8', { SLURM_ARRAY_TASK_ID: '5', SLURM_ARRAY_TASK_COUNT: '2' }, { index: 5, count: 8 }],
  ])('reads %s with %j', (text, env, shard) => {
    expect(readShard(text, env)).toEqual(shard);
  });

  it('refuses auto/8 in an AWS Batch array of another size', () => {
    const env = { AWS_BATCH_JOB_ARRAY_INDEX: '3', AWS_BATCH_JOB_ARRAY_SIZE: '4' };
    expect(() => readShard('auto/8', env)).toThrow('--shard auto/8: the array has 4 tasks, not 8');
  });

  it.each([
    ['0/8', {}],
    ['9/8', {}],
    ['8', {}],
    ['a/b', {}],
    ['auto', {}],
    ['auto', { JOB_COMPLETION_INDEX: '1' }],
    ['auto/8', { JOB_COMPLETION_INDEX: '8' }],
  ])('refuses %s with %j', (text, env) => {
    expect(() => readShard(text, env)).toThrow(expect.objectContaining({ name: 'UsageError' }));
  });

  it.each([
    ['JOB_COMPLETION_INDEX', '0.5'],
    ['JOB_COMPLETION_INDEX', ' 2'],
    ['AWS_BATCH_JOB_ARRAY_INDEX', '-1'],
    ['AWS_BATCH_JOB_ARRAY_INDEX', '1e0'],
    ['SLURM_ARRAY_TASK_ID', 'x'],
    ['SLURM_ARRAY_TASK_ID', '0x1'],
  ])('names %s and its value if that is "%s"', (name, value) => {
    expect(() => readShard('auto/8', { [name]: value })).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: `--shard auto: ${name} is "${value}", not a whole number from 0`,
      }),
    );
  });

  it.each([
    ['JOB_COMPLETION_INDEX', '8', 'counts from 0'],
    ['AWS_BATCH_JOB_ARRAY_INDEX', '8', 'counts from 0'],
    ['SLURM_ARRAY_TASK_ID', '9', 'counts from 1'],
    ['SLURM_ARRAY_TASK_ID', '0', 'counts from 1'],
  ])('names %s if its value %s is not that of a shard', (name, value, first) => {
    expect(() => readShard('auto/8', { [name]: value })).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: `--shard: "auto/8" is not a shard: ${name} is ${value}, which ${first}`,
      }),
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
