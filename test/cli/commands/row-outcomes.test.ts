import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../support/clock.ts';
import { jsonLines, newFolder, run } from '../../support/run.ts';
import { runs } from '../../support/seed.ts';
import { type Seen, serve } from '../../support/server.ts';

interface Line {
  readonly line: number;
  readonly ok: boolean;
  readonly id?: number;
  readonly error?: { readonly code: string };
}

/* A list, and a service that accepts this many registrations in all. */
async function newWorld(rows: readonly string[]) {
  const ids = new Map<string, number>();
  const plan = { quota: Number.POSITIVE_INFINITY, onRegistration: () => {} };
  const { env, seen } = await serve((response) => {
    const { method, path, body } = seen.at(-1) as Seen;
    const send = (status: number, value: object, headers = {}) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(JSON.stringify(value));
    };
    if (method === 'GET') {
      const id = Number(path.split('/').at(-1));
      const [name] = [...ids].find(([, each]) => each === id) ?? [];
      return send(200, { id, name, status: 'synced' });
    }
    const { name } = JSON.parse(body) as { name: string };
    const problem = { title: 'No', detail: 'no' };
    if (name === 'Bad') return send(422, { status: 422, ...problem });
    if (name === 'Broken') return send(500, { status: 500, ...problem });
    if (!ids.has(name) && ids.size >= plan.quota)
      return send(429, { status: 429, ...problem }, { 'Retry-After': '7200' });
    plan.onRegistration();
    ids.set(name, ids.get(name) ?? ids.size + 1);
    return send(200, { id: ids.get(name), name, status: 'created' });
  });
  const home = newFolder();
  const path = join(home, 'list.csv');
  writeFileSync(path, `name\n${rows.join('\n')}\n`);
  const clock = new VirtualClock();
  return {
    plan,
    clock,
    path,
    text: (command: string, ...flags: string[]) =>
      run([command, path, ...flags], { home, env, clock }),
    /* Runs a command; returns its lines, its summary and the rows with an ID in the journal. */
    async carbon(command: string, ...flags: string[]) {
      const words = [command, path, '--json', '--invalid', 'skip', ...flags];
      const { stdout, stderr } = await run(words, { home, env, clock });
      const all = [...jsonLines(stdout), ...jsonLines(stderr)];
      const { summary } = all.find((each) => 'summary' in each) as {
        summary: Record<string, number>;
      };
      const journal = jsonLines(readFileSync(`${path}.carbon.jsonl`, 'utf8'));
      const settled = journal.filter(({ id }) => typeof id === 'number');
      const registered = new Set(settled.map(({ line }) => rows[line - 2]));
      const lines = all.filter((each) => 'line' in each) as Line[];
      return { lines, summary, registered };
    },
  };
}

const names = ['Acme', 'Acme', 'Beta', 'Gamma', 'Bad', 'Broken', 'N/A'] as const;

describe('carbon batch and carbon sync', () => {
  it('print one line for each row, ok if the journal has its ID, and counts that add up', {
    tags: ['property'],
  }, async () => {
    const nights = fc.array(
      fc.record({
        command: fc.constantFrom('batch', 'sync'),
        quota: fc.nat({ max: 4 }),
        maxNew: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
        age: fc.constantFrom('0', '1d'),
      }),
      { minLength: 1, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 8 }),
        nights,
        async (rows, all) => {
          const { plan, carbon, clock } = await newWorld(rows);
          for (const { command, quota, maxNew, age } of all) {
            plan.quota = quota;
            await clock.sleep(86_400_000);
            const flags = command === 'sync' ? ['--max-age', age] : [];
            if (command === 'sync' && maxNew !== undefined) flags.push('--max-new', `${maxNew}`);
            const { lines, summary, registered } = await carbon(command, ...flags);
            expect(lines.map(({ line }) => line).toSorted((a, b) => a - b)).toEqual(
              rows.map((_, index) => index + 2),
            );
            for (const { line, ok, id, error } of lines) {
              expect([line, ok]).toEqual([line, registered.has(rows[line - 2] as never)]);
              expect(ok ? id : error?.code).toBeDefined();
            }
            const sum = (...members: string[]) =>
              members.reduce((total, member) => total + (summary[member] ?? Number.NaN), 0);
            const settled = ['registered', 'skipped', 'duplicate'];
            const failed = ['rejected', 'invalid', 'postponed'];
            const left = command === 'sync' ? 'not_registered' : 'remaining';
            expect(sum(...settled, ...failed, left)).toBe(rows.length);
            expect(sum(...settled)).toBe(lines.filter(({ ok }) => ok).length);
            if (command === 'batch') continue;
            const organizations = new Set(lines.flatMap(({ id }) => id ?? []));
            const states =
              'synced in_progress research_failed removed without_record not_retrieved';
            expect(sum(...states.split(' '))).toBe(organizations.size);
          }
        },
      ),
      { numRuns: runs(80) },
    );
  });

  it.each(['batch', 'sync'])('%s names the rows that were not sent', async (command) => {
    const { carbon, plan } = await newWorld(['Acme', 'Broken', 'Beta', 'Beta', 'Gamma', 'Acme']);
    plan.quota = 1;
    const { lines } = await carbon(command);
    const codes = lines.toSorted((a, b) => a.line - b.line).map(({ error }) => error?.code);
    expect([codes[0], codes[2], codes[3], codes[4], codes[5]]).toEqual([
      undefined,
      'not_sent',
      'not_sent',
      'not_sent',
      undefined,
    ]);
    plan.quota = 9;
    const second = await carbon(command);
    expect(second.lines.filter(({ ok }) => !ok)).toMatchObject([
      { line: 3, error: { code: 'service_failed', status: 500, exit: 6 } },
    ]);
  });

  it.each([
    [
      'sync',
      false,
      /^Not finished after .*: 0 of 2 organizations up to date, .*\. Rows: 2 registered/m,
    ],
    ['batch', true, /^Finished with failures in .*: 2 registered/m],
  ])('%s exits with 1 and says what was done when the list disappears', async (...given) => {
    const [command, hasResults, says] = given;
    const { path, plan, text } = await newWorld(['Acme', 'Beta']);
    plan.onRegistration = () => rmSync(path, { force: true });
    const flags = hasResults ? ['-o', `${path}.results.csv`] : [];
    const { exit, stderr } = await text(command, ...flags);
    expect([exit, stderr]).toEqual([1, expect.stringMatching(says)]);
    expect(stderr).toContain(`${path} was removed or replaced during the run`);
    expect(stderr).not.toContain('nothing was sent');
    writeFileSync(path, 'name\nAcme\nBeta\n');
    const again = await text('sync');
    expect([again.exit, again.stderr]).toEqual([
      0,
      expect.stringContaining('2 already registered'),
    ]);
  });

  it('sync --max-new 0 counts the rows that it did not send', async () => {
    const { carbon } = await newWorld(['Acme', 'Beta', 'Beta']);
    await carbon('sync', '--max-new', '1');
    const { summary, lines } = await carbon('sync', '--max-new', '0');
    expect(summary).toMatchObject({ rows: 3, skipped: 1, not_registered: 2 });
    expect(lines).toMatchObject([
      { line: 2, ok: true },
      { line: 3, ok: false, error: { code: 'not_sent', exit: 8 } },
      { line: 4, ok: false, error: { code: 'not_sent', exit: 8 } },
    ]);
  });
});
