import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostileRecords } from '../test/support/hostile-records.ts';
import type { Finding } from './findings.ts';
import { carbon, use } from './measure.ts';

const bytes = 2 ** 24 - 200;

/** Measures time and memory of `carbon get` for 16 MiB records with values of unexpected types. */
export async function* hostile(): AsyncGenerator<Finding> {
  let sent = '';
  const server = createServer((_, response) => void response.end(sent));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { CARBON_BASE_URL: `http://127.0.0.1:${port}`, CARBON_API_KEY: 'bench' };
  for (const [name, record] of Object.entries(hostileRecords)) {
    sent = record.text(bytes);
    const used = await use([carbon, 'get', '1', '--no-progress'], env, 'ignore');
    const finding = { section: 'hostile record of 16 MiB', what: `get, ${name}` };
    yield { ...finding, value: used.wallMs / 1000, unit: 's', goal: ['at most', 5] };
    yield { ...finding, value: used.peakMiB, unit: 'MiB', goal: ['at most', 500] };
  }
  server.close();
}
