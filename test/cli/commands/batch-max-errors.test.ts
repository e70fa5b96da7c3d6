import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../../support/run.ts';
import { serve } from '../../support/server.ts';

const no = JSON.stringify({ status: 422, title: 'Invalid', detail: 'No.' });

/* Refuses every row; holds back the first responses until so many requests are in flight. */
async function refusing(inFlight: number) {
  const held: (() => void)[] = [];
  return serve((response) => {
    response.statusCode = 422;
    held.push(() => response.end(no));
    if (held.length >= inFlight) for (const send of held) send();
  });
}

async function batch(inFlight: number, ...flags: string[]) {
  const { url, seen } = await refusing(inFlight);
  const home = newFolder();
  const path = join(home, 'list.csv');
  writeFileSync(
    path,
    `name\n${Array.from({ length: 50 }, (_, index) => `Supplier ${index}`).join('\n')}\n`,
  );
  const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'key-12345' };
  const outcome = await run(['batch', path, '--max-errors', '3', ...flags], { home, env });
  return { ...outcome, last: outcome.stderr.trim().split('\n').at(-1), sent: seen.length };
}

describe('carbon batch --max-errors', () => {
  it('starts no row after the last permitted error', async () => {
    const { exit, stderr, last, sent } = await batch(1, '--concurrency', '1');
    expect([exit, sent]).toEqual([9, 3]);
    expect(last).toMatch(
      /^Stopped after 3 errors \(--max-errors 3\) in .*: 0 registered, 3 refused, 47 left\. Run the same command again/,
    );
    expect(stderr).not.toContain('in flight');
  });

  it('reports errors of requests in flight beyond the limit', async () => {
    // The pacer begins with a burst of several requests.
    const { exit, stderr, last, sent } = await batch(4, '--concurrency', '4');
    expect(exit).toBe(9);
    expect(sent).toBeGreaterThan(3);
    expect(sent).toBeLessThanOrEqual(3 + 3);
    expect(last).toContain(`Stopped after ${sent} errors (--max-errors 3) in `);
    const late = sent - 3 === 1 ? '1 more error' : `${sent - 3} more errors`;
    expect(stderr).toContain(
      `carbon started no rows after error 3; requests already in flight caused ${late}.`,
    );
  });

  it('does not print that it stopped when the last row was the last permitted error', async () => {
    const { url } = await refusing(1);
    const home = newFolder();
    const path = join(home, 'list.csv');
    writeFileSync(path, 'name\nA\nB\nC\n');
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'key-12345' };
    const { stderr } = await run(['batch', path, '--max-errors', '3'], { home, env });
    expect(stderr.trim().split('\n').at(-1)).toMatch(
      /^Finished with failures in .*: 0 registered, 3 refused$/,
    );
  });
});
