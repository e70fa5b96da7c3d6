import { expect, it } from 'vitest';
import { failedFile, journalFile } from '../../src/batch/journal-files.ts';
import { readShard } from '../../src/batch/shard.ts';

it.each([
  ['2/8', {}, { index: 2, count: 8 }],
  ['auto/8', { JOB_COMPLETION_INDEX: '0' }, { index: 1, count: 8 }],
  ['auto/8', { AWS_BATCH_JOB_ARRAY_INDEX: '7' }, { index: 8, count: 8 }],
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
])('reads %s with %j', (text, env, shard) => expect(readShard(text, env)).toEqual(shard));

it.each([
  ['0/8', {}],
  ['9/8', {}],
  ['8', {}],
  ['a/b', {}],
  ['auto', {}],
  ['auto', { JOB_COMPLETION_INDEX: '1' }],
  ['auto/8', { JOB_COMPLETION_INDEX: '8' }],
  ['auto/8', { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_MIN: '3', SLURM_ARRAY_TASK_COUNT: '1' }],
])('refuses %s with %j', (text, env) => {
  expect(() => readShard(text, env)).toThrow(expect.objectContaining({ exit: 2 }));
});

it('names the files of a shard', () => {
  const shard = { index: 2, count: 8 };
  expect(journalFile('/d/suppliers.csv', undefined, shard)).toBe('/d/suppliers.csv.2-of-8.carbon.jsonl');
  expect(journalFile('/d/suppliers.csv', '/j/mine.jsonl', shard)).toBe('/j/mine.2-of-8.jsonl');
  expect(failedFile('/d/suppliers.csv', '', shard)).toBe('/d/suppliers.2-of-8.failed.csv');
  expect(failedFile('/d/suppliers.csv', '')).toBe('/d/suppliers.failed.csv');
  expect(failedFile('/d/suppliers', '')).toBe('/d/suppliers.failed.csv');
  expect(failedFile(undefined, '/j/night.carbon.jsonl')).toBe('/j/night.failed.csv');
});
