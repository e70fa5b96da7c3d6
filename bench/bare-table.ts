/*
 * The yardstick of `carbon list --sort -score --csv`: the same columns in the same order, without
 * any check. It reads and parses each line, and keeps all rows in memory. Arguments: the files.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { csvColumns } from '../src/cli/output/csv-columns.ts';
import { csvSource } from '../src/cli/output/csv-source.ts';

const rows: { readonly score: number; readonly text: string }[] = [];
for (const path of process.argv.slice(2)) {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const line of lines) {
    const record = JSON.parse(line);
    const source = csvSource(record);
    const cells = csvColumns.map((column) => quoted(String(column.value(source) ?? '')));
    rows.push({ score: record.score ?? Number.NEGATIVE_INFINITY, text: cells.join(',') });
  }
}
rows.sort((a, b) => b.score - a.score);
process.stdout.write(`${csvColumns.map(({ name }) => name).join(',')}\r\n`);
for (const { text } of rows) process.stdout.write(`${text}\r\n`);

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
