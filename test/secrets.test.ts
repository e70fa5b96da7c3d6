import { expect, it } from 'vitest';
import { newFolder, run } from './support/run.ts';
import { serve } from './support/server.ts';

/* A key of letters that no message of ours has, with every character that a key may have in between. */
const visible = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join('');
const keyOf = (length: number) => `Q7${visible}${visible}zZ`.slice(0, length);

it.each([3, 4, 8, 20, 64, 97, 150, 200])('a key of %d characters appears nowhere', async (length) => {
  const key = keyOf(length);
  const detail = `The key ${key} is unknown.`;
  const { url } = await serve(
    { status: 404, json: { status: 404, title: key, detail, id: '0' } },
    { status: 401, json: { status: 401, title: key, detail } },
    { status: 500, json: { status: 500, title: key, detail } },
    { status: 302, text: '', headers: { location: `https://else.example/?key=${encodeURIComponent(key)}` } },
    { text: key },
  );
  const home = newFolder();
  const env = { CARBON_API_KEY: key, CARBON_BASE_URL: url };
  const runs = [
    await run(['login', '--base-url', url, '--with-token', '--debug'], { home, stdin: key }),
    await run(['get', '1', '--debug'], { env }),
    await run(['watch', '1', '--debug', '--json', '--timeout', '1s'], { env }),
    await run(['register', '--name', 'Acme', '--debug'], { env }),
    await run(['whoami', '--json', '--debug'], { home }),
    await run(['get', '1', '--json'], { home, terminal: 80 }),
    await run(['register', '--name', 'Acme', '--no-color'], { env, terminal: 60 }),
  ];
  const escaped = JSON.stringify(key).slice(1, -1);
  for (const { stdout, stderr } of runs) {
    const written = (stdout + stderr).replace(/\n */g, '');
    for (const form of [key, escaped, encodeURIComponent(key)]) expect(written).not.toContain(form);
  }
});
