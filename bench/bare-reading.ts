/*
 * The yardstick of `carbon report`, `list` and `diff`: reads files line by line and parses each
 * line, without any check. Arguments: the files.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

let scores = 0;
for (const path of process.argv.slice(2)) {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const line of lines) scores += JSON.parse(line).score ?? 0;
}
process.stdout.write(`${scores}\n`);
