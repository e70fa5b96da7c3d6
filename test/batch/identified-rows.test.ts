import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mapColumns } from '../../src/batch/columns.ts';
import { ForeignRows } from '../../src/batch/foreign-rows.ts';
import { identifyRows } from '../../src/batch/identified-rows.ts';
import { detectDialect } from '../../src/table/dialect.ts';
import { InputFile } from '../../src/table/input-file.ts';
import { newFolder } from '../support/run.ts';

/* Enough rows for several groups, with blank lines, a repeated header and cells of two lines. */
const lines = Array.from({ length: 6_000 }, (_, row) =>
  row % 97 === 0 ? '' : row === 1_000 ? 'name' : row % 89 === 0 ? `"n\n${row}"` : `n${row}`,
);

async function readTwice(foreign?: ForeignRows) {
  const path = join(newFolder(), 'suppliers.csv');
  writeFileSync(path, `name\n${lines.join('\n')}\n`);
  const source = new InputFile(path);
  const dialect = await detectDialect(source);
  const mapping = mapColumns(dialect.header);
  const table = { source, dialect, mapping, service: 'sandbox', shard: { index: 2, count: 8 } };
  const readings = [];
  for (let reading = 0; reading < 2; reading += 1) {
    const rows: string[] = [];
    let elsewhere = 0;
    for await (const group of identifyRows({ ...table, foreign })) {
      rows.push(...group.rows.map(({ line, key }) => `${line} ${key}`));
      elsewhere += group.elsewhere;
    }
    readings.push({ rows, elsewhere });
  }
  return readings;
}

describe('identifyRows', () => {
  it('reads the same rows of a shard again when the first reading has marked the others', async () => {
    const [first] = await readTwice();
    expect(first?.rows.length).toBeGreaterThan(600);
    const foreign = new ForeignRows();
    expect(await readTwice(foreign)).toEqual([first, first]);
    const marked = lines.map((_, row) => foreign.has(row)).filter(Boolean);
    expect(marked.length).toBeGreaterThan(5_000);
  });
});
