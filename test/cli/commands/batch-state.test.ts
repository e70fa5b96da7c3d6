import { chmodSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run, transcript, type World } from '../../support/run.ts';
import { serve } from '../../support/server.ts';

/* A file with one row that the sandbox refuses and one that is invalid. */
function suppliers(name = 'suppliers.csv') {
  const home = newFolder();
  const path = join(home, name);
  const names = Array.from({ length: 20 }, (_, at) => `Organization ${at}`);
  writeFileSync(path, `name\n${names.join('\n')}\nSandbox 422\nN/A\n`);
  return { home, path };
}

const timeless = (text: string, home: string) =>
  text.replaceAll(home, '<home>').replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '<date and time>');

async function sent(home: string, path: string, ...flags: string[]) {
  await run(['batch', path, '--sandbox', '--skip-invalid', ...flags], { home });
}

describe('carbon batch --state', () => {
  const state = async (home: string, path: string, flags: readonly string[] = [], world?: World) =>
    timeless(await transcript(['batch', path, '--state', ...flags], { home, ...world }), home);

  it('prints the command that begins, without a base URL or a key', async () => {
    const { home, path } = suppliers();
    expect(await state(home, path)).toMatchInlineSnapshot(`
      "<home>/suppliers.csv: 22 rows

      journal                     rows  registered  failed  invalid  left  last written (UTC)  state
      ──────────────────────────  ────  ──────────  ──────  ───────  ────  ──────────────────  ───────────
      suppliers.csv.carbon.jsonl    22           0       0        1    21                      not started

      To send the rows that are left:
        carbon batch <home>/suppliers.csv --skip-invalid
      --- exit 8"
    `);
  });

  it('prints what each shard has done, and the commands that send the rest', async () => {
    const { home, path } = suppliers();
    for (const shard of ['1/4', '3/4']) await sent(home, path, '--shard', shard);
    expect(await state(home, path)).toMatchInlineSnapshot(`
      "<home>/suppliers.csv: 22 rows in 4 shards

      shard  rows  registered  failed  invalid  left  last written (UTC)  state
      ─────  ────  ──────────  ──────  ───────  ────  ──────────────────  ───────────
      1/4       3           2       0        1     0  <date and time>    failed
      2/4       3           0       0        0     3                      not started
      3/4       8           8       0        0     0  <date and time>    done
      4/4       8           0       0        0     8                      not started
      total    22          10       0        1    11

      To send the rows that are left:
        carbon batch <home>/suppliers.csv --shard 2/4 --skip-invalid --sandbox
        carbon batch <home>/suppliers.csv --shard 4/4 --skip-invalid --sandbox
      As a Slurm array: --array=2,4 with --shard auto/4

      Failed rows so far: suppliers.1-of-4.failed.csv
      --- exit 8"
    `);
  });

  it('prints the command that lists all failed rows when no row is left', async () => {
    const { home, path } = suppliers();
    for (const shard of ['1/2', '2/2']) await sent(home, path, '--shard', shard);
    const before = await state(home, path);
    expect(before).toMatchInlineSnapshot(`
      "<home>/suppliers.csv: 22 rows in 2 shards

      shard  rows  registered  failed  invalid  left  last written (UTC)  state
      ─────  ────  ──────────  ──────  ───────  ────  ──────────────────  ──────
      1/2      11          10       0        1     0  <date and time>    failed
      2/2      11          10       1        0     0  <date and time>    failed
      total    22          20       1        1     0

      To write all failed rows to one file:
        carbon batch <home>/suppliers.csv --skip-invalid --sandbox
      --- exit 9"
    `);
    await sent(home, path);
    const after = await state(home, path);
    expect(after.slice(after.indexOf('\n\nAll'))).toMatchInlineSnapshot(`
      "

      All failed rows are in suppliers.failed.csv.
      --- exit 9"
    `);
  });

  it('prints the command again when a journal is newer than the failed-rows file', async () => {
    const { home, path } = suppliers();
    for (const shard of ['1/2', '2/2']) await sent(home, path, '--shard', shard);
    await sent(home, path);
    const later = new Date(Date.now() + 60_000);
    utimesSync(`${path}.1-of-2.carbon.jsonl`, later, later);
    const text = await state(home, path);
    expect(text.slice(text.indexOf('\n\nsupp'))).toMatchInlineSnapshot(`
      "

      suppliers.failed.csv is older than the list or its journals. To write it again:
        carbon batch <home>/suppliers.csv --skip-invalid --sandbox
      --- exit 9"
    `);
  });

  it('prints the command again when the list is newer than the failed-rows file', async () => {
    const { home, path } = suppliers();
    await sent(home, path);
    const later = new Date(Date.now() + 60_000);
    utimesSync(path, later, later);
    expect(await state(home, path)).toContain(
      'suppliers.failed.csv is older than the list or its journals. To write it again:',
    );
    const { stdout } = await run(['batch', path, '--state', '--json'], { home });
    expect(JSON.parse(stdout)).toMatchObject({ failed_rows: null });
  });

  it('names the failed-rows file after a run that writes the same rows again', async () => {
    const { home, path } = suppliers();
    await sent(home, path);
    writeFileSync(path, readFileSync(path));
    await sent(home, path);
    expect(await state(home, path)).toContain('\n\nAll failed rows are in suppliers.failed.csv.\n');
  });

  it('names the failed-rows file of a run without shards', async () => {
    const { home, path } = suppliers();
    await sent(home, path);
    expect(await state(home, path)).toContain('\n\nAll failed rows are in suppliers.failed.csv.\n');
    const { stdout } = await run(['batch', path, '--state', '--json'], { home });
    expect(JSON.parse(stdout)).toMatchObject({
      failed_rows: `${home}/suppliers.failed.csv`,
      next: { failed_rows: null },
    });
  });

  it('reports another service in the environment', async () => {
    const { home, path } = suppliers();
    await sent(home, path);
    const env = { CARBON_BASE_URL: 'https://api.example.com', CARBON_API_KEY: 'k' };
    expect(await state(home, path, [], { env })).toMatchInlineSnapshot(`
      "--- stderr
      Error: The journals of <home>/suppliers.csv belong to sandbox (profile sandbox), but this command selects https://api.example.com (profile env)
      Hint: Select the service of the journals, or none, with --sandbox, --profile, --base-url or CARBON_BASE_URL. Use --journal to name other journals.
      --- exit 2"
    `);
  });

  it('starts over with another service when no journal has registrations', async () => {
    const { home, path } = suppliers();
    writeFileSync(path, 'name\nSandbox 422\n');
    await sent(home, path);
    const env = { CARBON_BASE_URL: 'https://api.example.com', CARBON_API_KEY: 'k' };
    expect(await state(home, path, [], { env })).toMatchInlineSnapshot(`
      "<home>/suppliers.csv: 1 row

      journal                     rows  registered  failed  invalid  left  last written (UTC)  state
      ──────────────────────────  ────  ──────────  ──────  ───────  ────  ──────────────────  ─────
      suppliers.csv.carbon.jsonl     1           0       0        0     1  <date and time>    left

      The next run starts a new journal instead of suppliers.csv.carbon.jsonl, which has no registrations and another service (sandbox, profile sandbox).

      To send the rows that are left:
        carbon batch <home>/suppliers.csv
      --- exit 8"
    `);
    const { stdout } = await run(['batch', path, '--state', '--json'], { home, env });
    expect(JSON.parse(stdout)).toMatchObject({
      superseded: [{ journal: `${path}.carbon.jsonl`, service: 'sandbox', profile: 'sandbox' }],
      failed_rows: null,
    });
  });

  it('reads the service with registrations when journals name several', async () => {
    const { home, path } = suppliers();
    const names = Array.from({ length: 8 }, (_, at) => `Sandbox 422 ${at}`);
    writeFileSync(path, `name\n${names.join('\n')}\n`);
    await sent(home, path, '--shard', '1/2');
    let id = 0;
    const { url } = await serve((response) => {
      id += 1;
      response.end(JSON.stringify({ id, status: 'in progress', link: '/' }));
    });
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
    await run(['batch', path, '--shard', '2/2'], { home, env });
    const { stdout, exit } = await run(['batch', path, '--state', '--json'], { home });
    const { registered, left } = JSON.parse(stdout);
    expect(registered).toBeGreaterThan(0);
    expect({ registered, left, exit }).toEqual({ registered: id, left: 8 - id, exit: 8 });
  });

  it('exits with 0 when every row is registered', async () => {
    const { home, path } = suppliers();
    writeFileSync(path, 'name\nAcme AG\nGlobex\nAcme AG\n');
    await sent(home, path);
    expect(await state(home, path)).toMatchInlineSnapshot(`
      "<home>/suppliers.csv: 3 rows

      journal                     rows  registered  failed  invalid  left  last written (UTC)  state
      ──────────────────────────  ────  ──────────  ──────  ───────  ────  ──────────────────  ─────
      suppliers.csv.carbon.jsonl     3           3       0        0     0  <date and time>    done
      --- exit 0"
    `);
  });

  it('keeps the options that determine how carbon reads the file', async () => {
    const { home, path } = suppliers('-semi colon.csv');
    writeFileSync(path, 'Title\nCompany;Notes\nAcme AG;x\n');
    const flags = ['--skip-lines', '1', '--map', 'name=Notes', '--journal', `${home}/j.jsonl`];
    flags.push('--pace', 'redis://redis.example:6379/0');
    const { stdout } = await run(['batch', path, '--state', '--json', ...flags], { home });
    expect(JSON.parse(stdout).next.rerun).toEqual([
      `carbon batch '${path}' --map name=Notes --skip-lines 1 --journal ${home}/j.jsonl --pace redis://redis.example:6379/0`,
    ]);
  });

  it('prints one document with --json', async () => {
    const { home, path } = suppliers();
    await sent(home, path, '--shard', '1/2');
    const { stdout, exit, stderr } = await run(['batch', path, '--state', '--json'], { home });
    const read = JSON.parse(stdout);
    expect({ exit, stderr }).toEqual({ exit: 8, stderr: '' });
    expect(read).toMatchObject({
      file: path,
      rows: 22,
      exit: 8,
      shards: [
        { shard: '1/2', left: 0, journal: `${path}.1-of-2.carbon.jsonl` },
        { shard: '2/2', registered: 0, state: 'not started', last_written: null },
      ],
      next: {
        rerun: [`carbon batch ${path} --shard 2/2 --skip-invalid --sandbox`],
        array: '2',
        failed_rows: null,
      },
    });
    expect(read.shards[0].registered + read.shards[1].left).toBeLessThanOrEqual(21);
  });

  it('omits the shards that are done when there are many', async () => {
    const { home, path } = suppliers();
    writeFileSync(path, 'name\nAcme AG\n');
    writeFileSync(`${path}.1-of-40.carbon.jsonl`, '');
    const { stdout } = await run(['batch', path, '--state'], { home });
    expect(stdout).toContain('suppliers.csv: 1 row in 40 shards\n');
    expect(stdout).toContain('and 39 shards that are done\n');
    expect(stdout.match(/^\d+\/40 .*$/gm)).toEqual([
      expect.stringMatching(/^\d+\/40 +1 .* not started$/),
    ]);
  });

  it('names the environment that a run needs if the journals belong to one', async () => {
    const { home, path } = suppliers();
    writeFileSync(path, 'name\nAcme AG\nGlobex\n');
    const header = {
      carbon: 'journal',
      version: 1,
      keys: 1,
      service: 'https://api.example.com',
      profile: 'env',
      mapping: {},
    };
    writeFileSync(`${path}.carbon.jsonl`, `${JSON.stringify(header)}\n`);
    const { stdout } = await run(['batch', path, '--state'], { home });
    expect(stdout).toContain(
      'The journals belong to https://api.example.com, with the key from the environment. Set CARBON_BASE_URL and CARBON_API_KEY for these commands.\n',
    );
  });

  it('prints the names in a journal without control characters, quoted for a shell', async () => {
    const { home, path } = suppliers();
    const service = 'https://api.example.com/\u001b[2J';
    const profile = "a\u202e'; rm -r .";
    const header = { carbon: 'journal', version: 1, keys: 1, service, profile, mapping: {} };
    writeFileSync(`${path}.carbon.jsonl`, `${JSON.stringify(header)}\n`);
    const { stdout } = await run(['batch', path, '--state'], { home });
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
    expect(stdout).toContain(`--skip-invalid --profile 'a\ufffd'\\''; rm -r .'\n`);
  });

  it('refuses a password in --pace instead of printing it', async () => {
    const { home, path } = suppliers();
    const pace = 'redis://:hidden-word@redis.example:6379/0';
    const { exit, stdout, stderr } = await run(['batch', path, '--state', '--pace', pace], {
      home,
    });
    expect(exit).toBe(2);
    expect(stdout + stderr).not.toContain('hidden-word');
  });

  it('reports a journal that it cannot read, and exits with the code of its error', async () => {
    const { home, path } = suppliers();
    for (const shard of ['1/2', '2/2']) await sent(home, path, '--shard', shard);
    writeFileSync(`${path}.1-of-2.carbon.jsonl`, 'not a journal\n');
    expect(await state(home, path)).toMatchInlineSnapshot(`
      "<home>/suppliers.csv: 22 rows in 2 shards

      shard  rows  registered  failed  invalid  left  last written (UTC)  state
      ─────  ────  ──────────  ──────  ───────  ────  ──────────────────  ──────────
      1/2      11           0       0        1    10  <date and time>    unreadable
      2/2      11          10       1        0     0  <date and time>    failed
      total    22          10       1        1    10

      Failed rows so far: suppliers.1-of-2.failed.csv and 1 more file
      --- stderr
      Error: <home>/suppliers.csv.1-of-2.carbon.jsonl is not a carbon journal
      Hint: carbon leaves the file unchanged. If this was the journal of the list, restore it. If you move it away, or name another file with --journal, carbon sends all rows again and gets the same ids.
      --- exit 2"
    `);
  });

  it('reports a file without rows', async () => {
    const { home, path } = suppliers();
    writeFileSync(path, 'name\n');
    expect(await state(home, path)).toMatchInlineSnapshot(`
      "<home>/suppliers.csv: 0 rows

      journal                     rows  registered  failed  invalid  left  last written (UTC)  state
      ──────────────────────────  ────  ──────────  ──────  ───────  ────  ──────────────────  ─────
      suppliers.csv.carbon.jsonl     0           0       0        0     0                      done

      The file has a header but no rows.
      --- exit 0"
    `);
  });

  it('writes nothing, not even in a read-only directory', async () => {
    const { home, path } = suppliers();
    await sent(home, path, '--shard', '1/2');
    const files = readdirSync(home);
    chmodSync(home, 0o500);
    try {
      expect((await run(['batch', path, '--state'], { home })).exit).toBe(8);
    } finally {
      chmodSync(home, 0o700);
    }
    expect(readdirSync(home)).toEqual(files);
  });

  it('reads standard input and the journal that the user names', async () => {
    const { home, path } = suppliers();
    await sent(home, path, '--shard', '1/2');
    const journal = `${path}.carbon.jsonl`;
    const stdin = 'name\nOrganization 1\nOrganization 2\nNew AG\n';
    const argv = ['batch', '-', '--state', '--json', '--journal', journal];
    const { stdout } = await run(argv, { home, stdin });
    expect(JSON.parse(stdout)).toMatchObject({ rows: 3, next: { rerun: [] } });
  });

  it.each([
    ['--restart'],
    ['--retry-failed'],
    ['--dry-run'],
    ['--max-errors', '3'],
    ['--rate', '5'],
    ['--concurrency', '16'],
    ['--summary', '/nowhere/run.json'],
    ['-q'],
  ])('refuses %s, which only a run has', async (...flags) => {
    const { home, path } = suppliers();
    const { exit, stderr } = await run(['batch', path, '--state', ...flags], { home });
    expect({ exit, stderr }).toMatchObject({ exit: 2, stderr: expect.stringContaining('--state') });
  });

  it('refuses standard input without a journal', async () => {
    const { exit } = await run(['batch', '-', '--state'], { stdin: 'name\nAcme\n' });
    expect(exit).toBe(2);
  });
});
