/*
 * A service with a rate limit that remembers every registration request, so that a check can show
 * which organization was sent how often. An organization with the same name gets the same id. The
 * server has a thread of its own, because the checks wait for other programs.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/**
 * One registration request. Times are in milliseconds since 1970; `repliedAt` is missing if the
 * client ended before the response.
 *
 * @typedef {{ at: number, name: string, status: number, id?: number, repliedAt?: number }} Sent
 */

/** @typedef {{ rate: number, burst: number, latencyMs: number }} Limit in requests per second */

/**
 * Starts the server.
 *
 * @param {Limit} limit
 */
export async function startLimitedServer(limit) {
  const worker = new Worker(new URL(import.meta.url), { workerData: limit });
  const [url] = await once(worker, 'message');
  return {
    url: /** @type {string} */ (url),
    /** Returns every request so far. */
    log: async () => /** @type {Sent[]} */ (await (await fetch(`${url}/log`)).json()),
    close: () => worker.terminate(),
  };
}

if (!isMainThread) serve(/** @type {Limit} */ (workerData));

/** @param {Limit} limit */
function serve({ rate, burst, latencyMs }) {
  /** @type {Sent[]} */
  const log = [];
  /** @type {Map<string, number>} */
  const ids = new Map();
  let tokens = burst;
  let filledAt = Date.now();

  const server = createServer(async (request, response) => {
    if (request.url === '/log') return send(response, 200, log);
    const chunks = /** @type {Buffer[]} */ ([]);
    for await (const chunk of request) chunks.push(chunk);
    const { name } = JSON.parse(Buffer.concat(chunks).toString());
    const at = Date.now();
    tokens = Math.min(burst, tokens + ((at - filledAt) * rate) / 1000);
    filledAt = at;
    if (tokens < 1) {
      log.push({ at, name, status: 429 });
      const retryAfter = `${Math.ceil((1 - tokens) / rate)}`;
      return send(response, 429, { status: 429, title: 'Too many', detail: 'Slower' }, retryAfter);
    }
    tokens -= 1;
    const id = ids.get(name) ?? ids.size + 1;
    ids.set(name, id);
    /** @type {Sent} */
    const sent = { at, name, status: 200, id };
    log.push(sent);
    setTimeout(() => {
      // A client that was killed never reads this response.
      if (!response.destroyed) sent.repliedAt = Date.now();
      send(response, 200, { id, name, status: 'synced' });
    }, latencyMs);
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    parentPort?.postMessage(`http://127.0.0.1:${port}`);
  });
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {unknown} body
 * @param {string} [retryAfter]
 */
function send(response, status, body, retryAfter) {
  const headers = { 'Content-Type': 'application/json' };
  response.writeHead(status, retryAfter ? { ...headers, 'Retry-After': retryAfter } : headers);
  response.end(JSON.stringify(body));
}
