import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run, transcript, type World } from '../../../support/run.ts';
import { badLines } from '../../../support/screen.ts';

/* A file with one row that the sandbox rejects and one that is invalid. */
function suppliers() {
  const home = newFolder();
  const path = join(home, 'suppliers.csv');
  const names = Array.from({ length: 20 }, (_, at) => `Organization ${at}`);
  writeFileSync(path, `name\n${names.join('\n')}\nSandbox 422\nN/A\n`);
  return { home, path };
}

async function sent(home: string, path: string, ...flags: string[]) {
  await run(['batch', path, '--sandbox', '--invalid', 'skip', ...flags], { home });
}

describe('carbon batch --status', () => {
  const status = async (home: string, path: string, flags: readonly string[] = [], world?: World) =>
    (await transcript(['batch', path, '--status', ...flags], { home, ...world }))
      .replaceAll(home, '<home>')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '<date and time>');

  it('prints the command that begins, without a base URL or a key', async () => {
    const { home, path } = suppliers();
    expect(await status(home, path)).toMatchInlineSnapshot(`
      "21 of 22 rows remaining, 1 invalid.
      <home>/suppliers.csv: 22 rows
      suppliers.csv.carbon.jsonl, last written: never

      Rows  Registered  Rejected  Invalid  Remaining
      ────  ──────────  ────────  ───────  ─────────
        22           0         0        1         21

      Correct the invalid row:
        line 23: name is missing: an organization needs a name

      To send the remaining rows:
        carbon batch <home>/suppliers.csv --invalid skip
      --- exit 8"
    `);
    expect(readdirSync(home)).toEqual(['suppliers.csv']);
  });

  it('lists the first invalid rows, which no command sends', async () => {
    const { home, path } = suppliers();
    writeFileSync(path, `name\nAcme\n${'N/A\n'.repeat(5)}`);
    await sent(home, path);
    const { stdout } = await run(['batch', path, '--status', '--sandbox'], { home, terminal: 80 });
    expect(badLines(stdout, 80)).toEqual([]);
    expect(stdout).toMatch(
      /Correct the invalid rows:\n( {2}line [345]: name is missing.*\n){3} {2}and 2 more rows; --dry-run --json lists all\n$/,
    );
  });

  it('breaks what it says of rejected rows for a terminal, and no command of a line', async () => {
    const { home, path } = suppliers();
    writeFileSync(path, 'name\nAcme\nSandbox 404 A\nSandbox 404 B\n');
    await sent(home, path);
    const { stdout } = await run(['batch', path, '--status', '--sandbox'], { home, terminal: 80 });
    const [shown, command] = stdout.split(/(?=\nTo send rejected rows)/);
    expect(shown).toContain('Rejected: line 3 "Sandbox 404 A"');
    const words = shown?.split('\n').filter((line) => !line.includes(home)) ?? [];
    expect(badLines(words.join('\n'), 80)).toEqual([]);
    expect(command).toContain(`\n  carbon batch ${path} --sandbox`);
  });

  it('says once how to match rejected rows and those that are not matched', async () => {
    const { home, path } = suppliers();
    writeFileSync(path, 'name\nAcme\nSandbox 404 A\nSandbox 404 B\nSandbox sparse C\n');
    await run(['sync', path, '--sandbox'], { home });
    const { stdout } = await run(['sync', path, '--status', '--sandbox'], { home });
    expect(
      stdout.replaceAll(home, '<home>').replace(/\(UTC\)|written: .*/g, ''),
    ).toMatchInlineSnapshot(`
      "Nothing to send: 2 of 4 rows registered, 2 rejected. 1 organization not matched.
      <home>/suppliers.csv: 4 rows
      suppliers.csv.sandbox.carbon.jsonl, last 

      Rows  Registered  Rejected  Invalid  Remaining
      ────  ──────────  ────────  ───────  ─────────
         4           2         2        0          0

      Rejected: line 3 "Sandbox 404 A": No organization matches these details
      Rejected: line 4 "Sandbox 404 B": No organization matches these details
      Not matched: line 5 "Sandbox sparse C"
      Correct the name or country of the rejected rows. The next run sends corrected rows, and unchanged ones only with --retry-failed.
      To match the rejected rows and those that are not matched, fill a new column Website for all of them, then run:
        carbon sync <home>/suppliers.csv --sandbox --map website=Website

      To send rejected rows again as they are:
        carbon sync <home>/suppliers.csv --sandbox --retry-failed
      "
    `);
  });

  it('exits with 9 when rows failed and none remain, and prints JSON', async () => {
    const { home, path } = suppliers();
    await sent(home, path);
    const { stdout, exit } = await run(['batch', path, '--status', '--json'], { home });
    expect([exit, JSON.parse(stdout)]).toEqual([
      9,
      {
        file: path,
        rows: 22,
        registered: 20,
        failed: 1,
        invalid: 1,
        remaining: 0,
        exit: 9,
        journal: `${path}.sandbox.carbon.jsonl`,
        last_written: expect.stringMatching(/^20\d\d-.*Z$/),
        next: [`carbon batch ${path} --invalid skip --retry-failed --sandbox`],
      },
    ]);
  });
});
