/*
 * The yardstick of `carbon footprint`: reads and parses a CSV file and a file of records, line by
 * line, without any check. Arguments: the two files.
 */
import { createReadStream } from 'node:fs';

const [spend = '', records = ''] = process.argv.slice(2);

async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const text of createReadStream(path, 'utf8')) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

const amounts = new Map<string, number>();
for await (const line of linesOf(spend)) {
  const [id = '', , , amount] = line.split(',');
  amounts.set(id, Number(amount));
}
let emissions = 0;
for await (const line of linesOf(records)) {
  const { id, performances } = JSON.parse(line);
  emissions += (amounts.get(String(id)) ?? 0) * (performances[0]?.emission_factor ?? 0);
}
process.stdout.write(`${emissions}\n`);
