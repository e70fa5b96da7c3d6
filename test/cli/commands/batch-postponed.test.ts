import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../../support/run.ts';
import { serve } from '../../support/server.ts';

type Response = readonly [status: number, body: string];

/*
 * A service that registers every organization but those that a test gives a response of their own.
 */
async function service(responses: Readonly<Record<string, Response>>) {
  const state = { responses };
  const { url, seen } = await serve((response) => {
    const { name } = JSON.parse(seen.at(-1)?.body || '{}');
    const [status, body] = state.responses[name] ?? [
      200,
      JSON.stringify({
        id: Number(/\d+$/.exec(seen.at(-1)?.path ?? '') ?? seen.length),
        status: 'new',
      }),
    ];
    response.statusCode = status;
    response.end(body);
  });
  return { url, state, env: { CARBON_BASE_URL: url, CARBON_API_KEY: 'key-12345' } };
}

function list(...names: readonly string[]): { home: string; path: string } {
  const home = newFolder();
  const path = join(home, 'list.csv');
  writeFileSync(path, `name\n${names.join('\n')}\n`);
  return { home, path };
}

const broken = [500, JSON.stringify({ status: 500, title: 'Oops', detail: 'No record.' })] as const;

describe('a postponed row of carbon batch', () => {
  it.each<[string, number, string, string]>([
    ['a web page', 403, '<html>Blocked</html>', 'responded 403, but not in the format'],
    ['a 404 of a framework', 404, '{"detail":"Not Found"}', '(response text: Not Found)'],
    ['a 200 without a record', 200, '{}', 'responded 200 with JSON that holds no'],
    ['a 500', ...broken, 'failed (500 Oops): No record'],
  ])(
    'is named with %s, which is not blamed on the base URL of a service that works',
    async (_, ...about) => {
      const [status, body, expected] = about;
      const { env } = await service({ 'Beta GmbH': [status, body] });
      for (const flags of [[], ['--no-progress'], ['-q']]) {
        const { home, path } = list('Acme', 'Beta GmbH', 'Gamma');
        const { exit, stderr } = await run(['batch', path, ...flags], { home, env });
        expect(exit).toBe(9);
        expect(stderr).toMatch(/Postponed: line 3 "Beta GmbH": .*http/);
        expect(stderr).toContain(expected);
        expect(stderr).toContain('Run the same command again to retry the row.');
        expect(stderr).not.toMatch(/base URL|whoami/);
      }
      const { home, path } = list('Acme', 'Beta GmbH', 'Gamma');
      const { stdout } = await run(['batch', path, '--json'], { home, env });
      expect(stdout).toContain(expected);
    },
  );

  it('is blamed on the base URL until the service registers a row', async () => {
    const { url, env } = await service({ Acme: [404, '{"detail":"Not Found"}'] });
    const { home, path } = list('Acme');
    const { stderr } = await run(['batch', path], { home, env });
    expect(stderr).toContain(`Postponed: line 2 "Acme": ${url} responded 404`);
    expect(stderr).toContain('Check the base URL');
  });
});
