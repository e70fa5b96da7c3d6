/*
 * The yardstick of `carbon get -`: the same requests in a loop over undici's Pool that prints each
 * record in the order of completion. Arguments: base URL, file with an id per line, requests in
 * flight.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';

const [, , url = '', file = '', concurrency = '8'] = process.argv;
const pool = new Pool(url, { connections: Number(concurrency), pipelining: 1 });
const headers = { authorization: 'Bearer k', accept: 'application/json' };
const lines = createInterface(createReadStream(file))[Symbol.asyncIterator]();

async function retrieveIds(): Promise<void> {
  for (;;) {
    const { value: id, done } = await lines.next();
    if (done) return;
    const response = await pool.request({ method: 'GET', path: `/organizations/${id}`, headers });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    if (JSON.parse(text).id !== Number(id)) throw new Error(text);
    process.stdout.write(`${text}\n`);
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, retrieveIds));
await pool.close();
