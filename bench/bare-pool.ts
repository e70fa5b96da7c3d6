/*
 * The yardstick of a batch: the same requests in a loop over undici's Pool, without a results file
 * and without checks. Arguments: base URL, CSV file, requests in flight.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';

const [, , url = '', file = '', concurrency = '16'] = process.argv;
const pool = new Pool(url, { connections: Number(concurrency), pipelining: 1 });
const headers = {
  authorization: 'Bearer k',
  'content-type': 'application/json',
  accept: 'application/json',
};
const lines = createInterface(createReadStream(file))[Symbol.asyncIterator]();
await lines.next();

let registered = 0;

async function registerRows(): Promise<void> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) return;
    const [name, hq_region, website, external_id] = value.split(',');
    const body = JSON.stringify({ name, hq_region, website, external_id });
    const response = await pool.request({ method: 'POST', path: '/organizations', headers, body });
    const text = await response.body.text();
    if (response.statusCode === 200 && JSON.parse(text).id > 0) registered += 1;
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, registerRows));
await pool.close();
process.stdout.write(`${registered}\n`);
