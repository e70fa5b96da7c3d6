/*
 * The yardstick of `carbon get --json`: the smallest program based on undici that makes the same
 * request and prints the same JSON. Arguments: base URL and id. It is bundled as carbon is.
 */
import Client from 'undici/lib/dispatcher/client.js';

const [, , url = '', id = ''] = process.argv;
const client = new Client(url);
const chunks: Uint8Array[] = [];
client.dispatch(
  {
    method: 'GET',
    path: `/organizations/${id}`,
    headers: {
      authorization: `Bearer ${process.env['CARBON_API_KEY']}`,
      accept: 'application/json',
    },
  },
  {
    onRequestStart() {},
    onResponseData: (_, chunk) => void chunks.push(chunk),
    onResponseEnd() {
      process.stdout.write(`${JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()))}\n`);
      void client.close();
    },
    onResponseError(_, error) {
      throw error;
    },
  },
);
