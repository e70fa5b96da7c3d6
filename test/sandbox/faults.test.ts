import { afterEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/runtime/carbon-error.ts';
import { faultKinds, parseFault } from '../../src/sandbox/faults.ts';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import { startTestSandbox, type TestSandbox } from './test-sandbox.ts';

let sandbox: TestSandbox;
afterEach(() => sandbox?.close());

/** Starts a sandbox that injects a fault into its first request only. */
async function once(kind: string, options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  let draws = 0;
  sandbox = await startTestSandbox({
    faults: [{ kind, share: 0.5 }],
    random: () => (draws++ === 0 ? 0 : 1),
    ...options,
  });
  return sandbox;
}

describe('startSandbox with faults', () => {
  it('sends another status or body', async () => {
    const lines: string[] = [];
    const whole = faultKinds.filter((kind) => !/reset|silent|slow|truncated/.test(kind));
    for (const kind of whole) {
      const { register, close } = await once(kind);
      const { status, headers, text } = await register({ name: 'A' });
      const header = headers['retry-after'] ?? headers.location ?? headers['content-type'];
      lines.push([kind, status, header, text.slice(0, 80)].join(' | '));
      await close();
    }
    const { retrieve } = await once('404');
    lines.push((await retrieve('12?currency=EUR')).text);
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "400 | 400 | application/json | {"status":400,"title":"Bad request","detail":"Injected fault."}
      401 | 401 | application/json | {"status":401,"title":"Unauthorized","detail":"Injected fault."}
      404 | 404 | application/json | {"status":404,"detail":"Injected fault."}
      422 | 422 | application/json | {"status":422,"title":"Unrecognized parameters","detail":"Injected fault."}
      429 | 429 | application/json | {"status":429,"title":"Too many organizations","detail":"Injected fault."}
      500 | 500 | application/json | {"status":500,"title":"Server error","detail":"Injected fault."}
      502 | 502 | application/json | {"status":502,"title":"Bad gateway","detail":"Injected fault."}
      503 | 503 | application/json | {"status":503,"title":"Service unavailable","detail":"Injected fault."}
      504 | 504 | application/json | {"status":504,"title":"Gateway timeout","detail":"Injected fault."}
      429-seconds | 429 | 2 | {"status":429,"title":"Too many organizations","detail":"Injected fault."}
      429-date | 429 | Thu, 15 Jan 2026 09:30:02 GMT | {"status":429,"title":"Too many organizations","detail":"Injected fault."}
      html | 200 | text/html; charset=utf-8 | <!doctype html>
      <html><head><title>Sign in to this network</title></head><body><
      proxy-html | 502 | text/html; charset=utf-8 | <!doctype html>
      <html><head><title>502 Bad Gateway</title></head><body><h1>502 B
      redirect | 302 | https://elsewhere.example.org/organizations | 
      empty | 200 | application/json | 
      notjson | 200 | application/json | OK {"id":1,"name":"A","hq_region":null,"hq_subregion":null,"industry":null,"webs
      null | 200 | application/json | null
      {"status":404,"title":"Organization not found","detail":"No organization is registered under this id.","id":"12"}"
    `);
  });

  it.each(['reset', 'truncated'])('ends the connection early: %s', async (kind) => {
    const { register } = await once(kind);
    await expect(register({ name: 'A' })).rejects.toThrow(/fetch failed|terminated/);
  });

  it('sends a response byte by byte', async () => {
    const { clock, register } = await once('slow');
    const { headers, text, json } = await register({ name: 'A' });
    expect(json).toMatchObject({ id: 1, status: 'created' });
    // The client receives the last byte before the server waits again.
    expect([text.length - 1, text.length]).toContain(clock.elapsed() / 100);
    expect(headers['content-length']).toBe(String(text.length));
  });

  it('sends no response until the client disconnects', async () => {
    let report: (status: number) => void;
    const reported = new Promise<number>((resolve) => {
      report = resolve;
    });
    const { url, key, retrieve } = await once('silent', {
      onRequest: ({ status }) => report(status),
    });
    const left = new AbortController();
    const headers = { authorization: `Bearer ${key}` };
    const body = '{"name":"A"}';
    const silenced = fetch(`${url}/organizations`, {
      method: 'POST',
      headers,
      body,
      signal: left.signal,
    });
    expect(await reported).toBe(0);
    left.abort(new Error('tired of waiting'));
    await expect(silenced).rejects.toThrow('tired of waiting');
    expect((await retrieve(1)).status).toBe(200);
  });

  it('handles the request only before faults that modify the response', async () => {
    const stored: string[] = [];
    for (const kind of faultKinds.filter((each) => each !== 'silent')) {
      const { register, retrieve, close } = await once(kind);
      await register({ name: 'A' }).catch(() => undefined);
      if ((await retrieve(1)).status === 200) stored.push(kind);
      await close();
    }
    expect(stored).toEqual(['504', 'empty', 'notjson', 'null', 'truncated', 'slow', 'reset']);
  });

  it('injects the first fault that its share selects', async () => {
    const draws = [0.049, 0.05, 0.9, 0.5, 0.5, 0.1, 0.4];
    const faults = [parseFault('500:5%'), parseFault('503:0.5')];
    sandbox = await startTestSandbox({ faults, random: () => draws.shift() ?? 1 });
    const { retrieve } = sandbox;
    const got = [];
    for (const _ of [1, 2, 3, 4]) got.push((await retrieve(1)).status);
    expect(got).toEqual([500, 404, 404, 503]);
  });
});

describe('parseFault', () => {
  it('parses kinds and shares, and rejects anything else', () => {
    expect(parseFault('reset')).toEqual({ kind: 'reset', share: 1 });
    expect(parseFault(' 429:5% ')).toEqual({ kind: '429', share: 0.05 });
    expect(parseFault('HTML:.25')).toEqual({ kind: 'html', share: 0.25 });
    expect(parseFault('null:0')).toEqual({ kind: 'null', share: 0 });
    for (const wrong of ['', '418', '500:', '500:2', '500:-1', '500:0.1:2', 'toString', '500 5%'])
      expect(() => parseFault(wrong), wrong).toThrow(UsageError);
  });
});
