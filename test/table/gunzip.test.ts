import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { InputFile } from '../../src/table/input-file.ts';
import { BatchFixture } from '../batch/batch-fixture.ts';
import { newFolder } from '../support/run.ts';

describe('carbon batch for a .csv.gz file', () => {
  it('registers the rows and names the failed-rows file after the CSV file', async () => {
    const fixture = new BatchFixture(
      gzipSync('name,LEI\nAcme,\nBeta,x\n'),
      undefined,
      'suppliers.csv.gz',
    );
    const { sent, failed, journal } = await fixture.run();
    expect(sent).toEqual([{ name: 'Acme' }]);
    expect(failed).toBe(`${fixture.folder}/suppliers.failed.csv`);
    expect(journal).toBe(`${fixture.folder}/suppliers.csv.gz.carbon.jsonl`);
  });

  it('resumes with the same journal after the file was decompressed', async () => {
    const text = 'name\nAcme\nBeta\n';
    const fixture = new BatchFixture(gzipSync(text), undefined, 'suppliers.csv.gz');
    const { journal } = await fixture.run();
    fixture.write(text);
    expect((await fixture.run({ journal })).sent).toEqual([]);
  });

  it('reads a file of several gzip members', async () => {
    const members = ['name\nAc', 'me\nBeta\n'].map((text) => gzipSync(text));
    const fixture = new BatchFixture(Buffer.concat(members), undefined, 'a.csv.gz');
    expect((await fixture.run()).sent.map(({ name }) => name)).toEqual(['Acme', 'Beta']);
  });

  it('rejects a truncated file before it sends anything', async () => {
    const complete = gzipSync(`name\n${'Acme\nBeta\n'.repeat(1_000)}`);
    const fixture = new BatchFixture(complete.subarray(0, -9), undefined, 'a.csv.gz');
    await expect(fixture.run()).rejects.toThrow('is a damaged gzip file: unexpected end of file');
    expect(fixture.api.bodies).toEqual([]);
  });
});

describe('InputFile for a gzip file', () => {
  it('rejects a file that inflates to more than 250 times its size', async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 26 + 2 ** 22), { level: 9 });
    const path = join(newFolder(), 'a.csv.gz');
    writeFileSync(path, bomb);
    let length = 0;
    const read = async () => {
      for await (const piece of new InputFile(path, 'a.csv.gz').bytes()) length += piece.length;
    };
    await expect(read()).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'a.csv.gz is too large: it inflates to more than 250 times its compressed size',
    });
    expect(length).toBe(2 ** 26);
  });
});
