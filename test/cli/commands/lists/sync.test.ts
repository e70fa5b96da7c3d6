import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dateText } from '../../../../src/display/terminal/format.ts';
import { VirtualClock } from '../../../support/clock.ts';
import { jsonLines, newFolder, run, transcript } from '../../../support/run.ts';
import { type Seen, serve } from '../../../support/server.ts';

const dayMs = 86_400_000;

interface Organization {
  name: string;
  /** Statuses of the next retrievals; the last one stays. */
  statuses: string[];
  scope1: number;
  revenue: number;
  isGone?: boolean;
  isForbidden?: boolean;
  isFailing?: boolean;
  isUnseen?: boolean;
}

/* A service whose organizations a test can change, with a list and a clock. */
async function newWorld(text = 'name\nAcme\nGlobex\nInitech\n') {
  const organizations: Organization[] = [];
  /* Number of organizations that the service accepts, and how it refuses the next one. */
  const plan = { quota: Number.POSITIVE_INFINITY, headers: {}, isBusy: false };
  const recordOf = (index: number) => {
    const { name, statuses, scope1, revenue } = organizations[index] as Organization;
    const [status = 'synced'] = statuses;
    if (statuses.length > 1) statuses.shift();
    const emissions = { scope_1: { total: scope1 } };
    const performances = [{ year: 2025, revenue, revenue_currency: 'USD', emissions }];
    const match = name.startsWith('Unmatched') ? null : { id: index + 101, name };
    return {
      id: index + 1,
      name,
      status,
      matching_organization: match,
      performances: status === 'synced' ? performances : [],
    };
  };
  const { env, seen } = await serve((response) => {
    // The server appends the request before it replies.
    const { method, path, body } = seen.at(-1) as Seen;
    const send = (status: number, value: object) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (method === 'POST') {
      const { name } = JSON.parse(body) as { name: string };
      if (name === 'Bad')
        return send(422, { status: 422, title: 'Unrecognized parameters', detail: 'no' });
      if (name.startsWith('Broken'))
        return send(500, { status: 500, title: 'Server error', detail: 'Oops.' });
      if (name.startsWith('Denied'))
        return send(403, { status: 403, title: 'Forbidden', detail: 'Not you.' });
      let index = organizations.findIndex((each) => each.name === name);
      if (index < 0 && organizations.length >= plan.quota) {
        const detail = 'The plan has 3 organizations.';
        response.writeHead(429, plan.headers);
        response.end(JSON.stringify({ status: 429, title: 'Too many', detail }));
        return;
      }
      if (index < 0) index = organizations.indexOf(add(name, 'synced'));
      return send(200, { ...recordOf(index), status: 'created' });
    }
    const index = Number(/\d+$/.exec(path.replace(/\?.*/, ''))?.[0]) - 1;
    if (organizations[index]?.isForbidden === true)
      return send(401, { status: 401, title: 'Unauthorized', detail: 'no' });
    if (plan.isBusy) {
      plan.isBusy = false;
      return send(429, { status: 429, title: 'Too many', detail: 'Slower.' });
    }
    if (organizations[index]?.isUnseen === true)
      return send(403, { status: 403, title: 'Forbidden', detail: 'Not yours.' });
    if (organizations[index]?.isFailing === true)
      return send(500, { status: 500, title: 'Server error', detail: 'Oops.' });
    if (organizations[index] === undefined || organizations[index].isGone)
      return send(404, { status: 404, title: 'Not found', detail: 'no', id: `${index + 1}` });
    return send(200, recordOf(index));
  });
  const home = newFolder();
  const path = join(home, 'suppliers.csv');
  writeFileSync(path, text);
  const clock = new VirtualClock();
  /* Adds an organization that the service knows already. */
  const add = (name: string, ...statuses: string[]) => {
    const added: Organization = { name, statuses, scope1: 100, revenue: 1_000_000 };
    organizations.push(added);
    return added;
  };
  const carbon = (...argv: string[]) => run(argv, { home, env, clock });
  const file = (name: string) => join(home, name);
  return {
    add,
    plan,
    seen,
    clock,
    home,
    env,
    path,
    carbon,
    sync: (...flags: string[]) => carbon('sync', path, ...flags),
    file,
    read: (name: string) => readFileSync(file(name), 'utf8'),
    stored: () => jsonLines(readFileSync(`${path}.records.ndjson`, 'utf8')),
    history: () =>
      existsSync(`${path}.history.ndjson`)
        ? jsonLines(readFileSync(`${path}.history.ndjson`, 'utf8'))
        : [],
    organization: (name: string) =>
      organizations.find((each) => each.name === name) as Organization,
  };
}

describe('carbon sync', () => {
  it('names the footprint as a next command of a list with spend', async () => {
    const { sync, path } = await newWorld('name,Spend (EUR)\nAcme,100\n');
    expect((await sync()).stderr).toContain(
      `report ${path} -o report.html\n  carbon footprint ${path}\n`,
    );
  });

  it('names the file of -o where it says why rows failed earlier', async () => {
    const { sync, path } = await newWorld('name\nAcme\nBad\n');
    await sync();
    expect((await sync()).stderr).toContain(
      '1 row failed in an earlier run; -o results.xlsx shows why',
    );
    const out = join(path, '..', 'own.csv');
    expect((await sync('-o', out)).stderr).toContain(
      `1 row failed in an earlier run; ${out} shows why`,
    );
  });

  it('registers a list, follows the research, and keeps the records', async () => {
    const { sync, stored, add, seen } = await newWorld();
    add('Globex', 'locating', 'researching', 'synced');
    const first = await sync();
    expect(first).toMatchObject({ exit: 0, stdout: '' });
    expect(first.stderr).toMatch(/^3 of 3 organizations up to date in .*\. Rows: 3 registered\.$/m);
    expect(first.stderr).toContain(
      'Registered 3 organizations. Waiting up to 30 min for research; Ctrl-C is safe',
    );
    expect(first.stderr).toMatch(
      /^Next:\n {2}carbon list .*suppliers.csv\n {2}carbon check .*suppliers.csv\n {2}carbon report .*suppliers.csv -o report.html$/m,
    );
    expect(stored()).toMatchObject([
      { id: 2, record: { name: 'Acme' } },
      { id: 1, record: { name: 'Globex', status: 'synced' } },
      { id: 3, record: { name: 'Initech' } },
    ]);
    const requests = seen.length;
    expect(await sync('--no-progress')).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect(seen.length).toBe(requests);
  });

  it('retrieves records that are old or from the future, the oldest first', async () => {
    const { sync, clock, seen, path } = await newWorld();
    const retrieved = async (...flags: string[]) => {
      const before = seen.length;
      await sync(...flags);
      return seen.slice(before).map(({ path: asked }) => Number(asked.split('/').at(-1)));
    };
    await sync();
    await clock.sleep(dayMs / 2);
    writeFileSync(path, 'name\nAcme\nGlobex\nInitech\nHooli\n');
    await sync();
    // A night may have 23 hours, and a run takes some minutes.
    await clock.sleep((11 / 24) * dayMs - 60_000);
    expect(await retrieved()).toEqual([1, 2, 3]);
    await clock.sleep((21 / 24) * dayMs);
    expect(await retrieved()).toEqual([4]);
    expect((await retrieved('--max-age', '0')).length).toBe(4);
    await clock.sleep(30 * dayMs);
    expect(await retrieved('--max-age', 'never')).toEqual([]);
    await sync();
    const text = readFileSync(`${path}.records.ndjson`, 'utf8');
    writeFileSync(
      `${path}.records.ndjson`,
      text.replace(/"retrieved_at":"20/, '"retrieved_at":"21'),
    );
    expect(await retrieved()).toEqual([1]);
  });

  it('keeps each version that differs, and shows the records as they were', async () => {
    const { sync, clock, organization, history, carbon, path } = await newWorld();
    await sync();
    await clock.sleep(2 * dayMs);
    organization('Acme').scope1 = 150;
    // The service converts at the rate of the day.
    organization('Globex').revenue *= 1.04;
    expect((await sync()).stderr).toMatch(/^3 of 3 organizations up to date in .*, 1 changed\.$/m);
    expect(history()).toMatchObject([{ id: 1, record: { name: 'Acme' } }]);
    const day = new Date(clock.now() - dayMs).toISOString().slice(0, 10);
    const scope1 = async (...flags: string[]) =>
      (await carbon('list', path, '--columns', 'scope_1', ...flags)).stdout;
    expect(await scope1()).toBe('150\n100\n100\n');
    expect(await scope1('--at', day)).toBe('100\n100\n100\n');
    const { exit, stdout } = await carbon('diff', path, '--since', day, '--json');
    expect(exit).toBe(10);
    expect(jsonLines(stdout)).toMatchObject([
      { name: 'Acme', fields: [{ field: 'emissions_scope_1', old: 100, new: 150 }] },
    ]);
    const early = await carbon('list', path, '--at', '2000-01-01');
    expect(early.exit).toBe(2);
    expect(early.stderr).toMatch(/There are no records of 2000-01-01: they begin on \d{4}-/);
  });

  it('counts an organization once whose records changed in several currencies', async () => {
    const { sync, clock, organization } = await newWorld();
    const both = ['--currency', 'EUR', '--currency', 'USD'];
    await sync(...both);
    await clock.sleep(2 * dayMs);
    organization('Acme').scope1 = 150;
    const { stderr } = await sync(...both);
    expect(stderr).toMatch(
      /^3 of 3 organizations up to date \(records in .*\) in .*, 1 changed\.$/m,
    );
  });

  it('keeps the record of an organization that the service no longer has', async () => {
    const { sync, clock, organization, carbon, path, history } = await newWorld();
    await sync();
    organization('Globex').isGone = true;
    await clock.sleep(2 * dayMs);
    expect((await sync('--no-progress')).stderr).toContain(
      'The service no longer has 1 organization: ID 2',
    );
    expect((await carbon('list', path)).stdout).toContain('Globex');
    expect(jsonLines((await sync('--json')).stdout)[1]).toMatchObject({ id: 2, status: 'removed' });
    await clock.sleep(2 * dayMs);
    expect((await sync('--no-progress')).stderr).toBe('');
    organization('Globex').isGone = false;
    await clock.sleep(2 * dayMs);
    await sync();
    expect(history()).toMatchObject([{ id: 2 }]);
  });

  it('exits with 9 and 7 only for failures that the last run did not know', async () => {
    const { sync, add, clock } = await newWorld('name\nBad\nAcme\nGlobex\n');
    add('Acme', 'errored');
    const first = await sync('--no-progress');
    expect(first.exit).toBe(9);
    expect(first.stderr).toContain('Research failed for 1 organization: Acme (ID 1)');
    expect(first.stderr.trim().split('\n').at(-1)).toMatch(
      /^1 of 2 organizations up to date in .*, 1 with failed research\. Rows: 2 registered, 1 rejected\.$/,
    );
    await clock.sleep(2 * dayMs);
    expect(await sync('--no-progress')).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect((await sync()).stderr).toMatch(/, 1 with failed research\. Rows: 1 rejected\.$/m);
  });

  it('refreshes the records although the service always fails on some rows', async () => {
    const rows = ['DE', 'FR', 'IT', 'ES', 'US'].map((country) => `Broken ${country}`);
    const { sync, seen, stored, clock } = await newWorld(
      `name\n${['Acme', 'Globex', ...rows].join('\n')}\n`,
    );
    const flags = ['--max-age', '0', '--no-progress'];
    expect(await sync(...flags)).toMatchObject({
      exit: 9,
      stderr: expect.stringMatching(/\. Rows: 2 registered, 5 postponed\.$/m),
    });
    for (let night = 0; night < 2; night += 1) {
      await clock.sleep(dayMs);
      const [at, began] = [clock.now(), seen.length];
      const { exit, stderr } = await sync(...flags);
      expect([exit, stderr.match(/^Postponed: line \d "Broken .." \(.*Oops.*$/gm)?.length]).toEqual(
        [0, 5],
      );
      expect(clock.now() - at).toBeLessThan(10_000);
      expect(seen.slice(began).map(({ method }) => method)).toEqual([
        ...['GET', 'GET'],
        ...rows.map(() => 'POST'),
      ]);
      for (const { retrieved_at } of stored())
        expect(Date.parse(retrieved_at)).toBeGreaterThanOrEqual(at);
    }
  });

  it('registers new rows although the service always fails on some records', async () => {
    const { sync, organization, path } = await newWorld();
    await sync();
    for (const name of ['Acme', 'Globex', 'Initech']) organization(name).isFailing = true;
    writeFileSync(path, 'name\nAcme\nGlobex\nInitech\nHooli\n');
    const { exit, stderr } = await sync('--max-age', '0');
    expect([exit, stderr]).toEqual([
      6,
      expect.stringContaining('3 not retrieved. Rows: 1 registered'),
    ]);
  });

  it('registers new rows although the key may not see the first record', async () => {
    const { sync, organization, path } = await newWorld();
    await sync();
    organization('Acme').isUnseen = true;
    writeFileSync(path, 'name\nAcme\nHooli\n');
    const { exit, stderr } = await sync('--max-age', '0');
    expect([exit, stderr]).toEqual([
      9,
      expect.stringContaining('1 not retrieved. Rows: 1 registered'),
    ]);
    expect(stderr).toContain('Not yours');
  });

  it('stops when the key may retrieve records, but register nothing', async () => {
    const { sync, seen, path } = await newWorld();
    await sync();
    const names = Array.from({ length: 30 }, (_, index) => `Denied ${index}`);
    writeFileSync(path, `name\nAcme\nGlobex\nInitech\n${names.join('\n')}\n`);
    const began = seen.length;
    const { exit, stderr } = await sync('--max-age', '0');
    expect([exit, stderr]).toEqual([4, expect.stringMatching(/^Error: line \d+: .*Not you/m)]);
    const posts = seen.slice(began).filter(({ method }) => method === 'POST');
    expect(posts.length).toBeLessThan(10);
    expect(stderr).toContain('3 of 3 organizations up to date');
  });

  it('does not take a 429 to a retrieval for a used-up quota', async () => {
    const { sync, plan, path, clock } = await newWorld();
    plan.quota = 2;
    plan.headers = { 'Retry-After': '7200' };
    expect((await sync()).exit).toBe(6);
    Object.assign(plan, { quota: 9, isBusy: true });
    await clock.sleep(dayMs);
    writeFileSync(path, 'name\nAcme\nGlobex\nInitech\n');
    expect(await sync()).toMatchObject({ exit: 0, stderr: expect.stringContaining('3 of 3') });
  });

  it.each([
    ['when the records fail as well', [], 150_000],
    ['after --timeout', ['--timeout', '3s'], 10_000],
  ])('ends once %s', async (_, flags, maxMs) => {
    const { sync, organization, path, clock } = await newWorld();
    await sync();
    for (const name of ['Acme', 'Globex', 'Initech']) organization(name).isFailing = true;
    for (const text of ['', 'Broken DE\n']) {
      writeFileSync(path, `name\nAcme\nGlobex\nInitech\n${text}`);
      const at = clock.now();
      expect((await sync('--max-age', '0', ...flags)).exit).toBe(6);
      expect(clock.now() - at).toBeLessThan(maxMs);
    }
  });

  it.each([
    ['no Retry-After', {}, 1],
    ['a short one', { 'Retry-After': '2' }, 2],
    ['a longer one', { 'Retry-After': '61' }, 1],
  ])('stops at a used-up quota, and asks once in the next run, with %s', async (...given) => {
    const [, headers, posts] = given;
    const names = Array.from({ length: 7 }, (_, index) => `Firm ${index}`);
    const { sync, seen, stored, plan, clock } = await newWorld(`name\n${names.join('\n')}\n`);
    Object.assign(plan, { quota: 3, headers });
    const line =
      'Error: The service accepts no more organizations (429: The plan has 3 organizations): 3 of 7 registered. The next run continues.';
    const first = await sync('--no-progress');
    expect([first.exit, first.stderr]).toEqual([6, expect.stringContaining(line)]);
    expect(stored()).toHaveLength(3);
    await clock.sleep(dayMs);
    const [at, began] = [clock.now(), seen.length];
    const second = await sync('--no-progress');
    expect([second.exit, second.stderr]).toEqual([6, expect.stringContaining(line)]);
    expect(second.stderr).not.toContain('Too many requests');
    expect(clock.now() - at).toBeLessThan(20_000);
    const methods = seen.slice(began).map(({ method }) => method);
    expect(methods).toEqual(['GET', 'GET', 'GET', ...Array(posts).fill('POST')]);
    plan.quota = 7;
    expect((await sync()).exit).toBe(0);
    expect(stored()).toHaveLength(7);
  });

  it('exits with 8 while work remains, and continues it', async () => {
    const { sync, add, seen, stored } = await newWorld();
    const acme = add('Acme', 'researching');
    const { exit, stderr } = await sync('--max-new', '2', '--timeout', '1m', '--no-progress');
    expect(exit).toBe(8);
    expect(stderr).toMatch(
      /^Not finished after .*: 1 of 2 organizations up to date, 1 in progress\. Rows: 2 registered, 1 not registered yet\. Run the same command again to continue$/m,
    );
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(2);
    acme.statuses = ['synced'];
    expect((await sync('--max-new', '1')).exit).toBe(0);
    expect(stored()).toHaveLength(3);
  });

  it('counts organizations instead of their rows and records', async () => {
    const { sync, add, clock } = await newWorld('name\nBad\nGlobex\nBad\nAcme\nAcme\nBad\n');
    add('Globex', 'errored');
    const both = ['--currency', 'EUR', '--currency', 'USD'];
    const first = await sync(...both, '--no-progress');
    expect(first.stderr).toMatch(/^Rejected: lines 2, 4 and 7 "Bad": /m);
    expect(first.stderr).toContain('Research failed for 1 organization: Globex (ID 1)');
    const counts = '1 with failed research. Rows: ';
    expect(first.stderr).toMatch(
      /^1 of 2 organizations up to date \(records in EUR and USD\) in /m,
    );
    expect(first.stderr).toContain(`, ${counts}2 registered, 3 rejected (1 different).`);
    await clock.sleep(2 * dayMs);
    const { stdout, stderr } = await sync(...both, '--json');
    expect(stderr).toContain(`${counts}3 rejected (1 different).`);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      summary: { listed: 2, synced: 1, research_failed: 1, rejected: 3, retrieved: 4 },
    });
  });

  it('keeps a record for each currency', async () => {
    const { sync, stored, carbon, path, clock, seen } = await newWorld('name\nAcme\n');
    await sync('--currency', 'EUR');
    expect((await sync('--currency', 'USD')).stderr).toContain(
      '1 of 1 organization up to date (records in USD and EUR) in',
    );
    expect(stored().map(({ currency }) => currency)).toEqual(['EUR', 'USD']);
    const revenue = await carbon('list', path, '--columns', 'name,revenue');
    expect(revenue.stderr).toMatch(
      /^1 company .*\n\S+: revenue and factors in EUR \(also: USD\)\n$/,
    );
    // No other figure depends on a currency.
    for (const command of [
      ['list', path, '--columns', 'name,scope_1'],
      ['report', path],
    ])
      expect((await carbon(...command)).stderr).not.toContain('revenue and factors');
    await clock.sleep(2 * dayMs);
    const before = seen.length;
    await sync();
    expect(seen.length).toBe(before + 2);
    expect((await sync('--currency', 'EURO')).exit).toBe(2);
  });

  it('writes the rows of the list with their results and its delimiter', async () => {
    const text = 'Nr;Name;Land;Betrag\n7;Acme;DE;1.234,50\n;Bad;;=1+1\n9;Acme;DE;2\n;Summe;;3\n';
    const { sync, read, file, clock } = await newWorld(text);
    const { exit } = await sync('-o', file('results.csv'), '--map', 'external_id=');
    expect(exit).toBe(9);
    const header = 'Nr;Name;Land;Betrag;carbon_id;carbon_status;carbon_reason;carbon_name';
    const lines = read('results.csv').replace('\ufeff', '').split('\r\n');
    expect(lines[0]).toContain(header);
    expect(lines[1]).toMatch(/^7;Acme;DE;"1.234,50";1;synced;;/);
    expect(lines[1]).toMatch(/;100;.*;unknown;.*Z;$/);
    expect(lines[2]).toMatch(/^;Bad;;=1\+1;;rejected;Unrecognized parameters: /);
    expect(lines[3]).toMatch(/^9;Acme;DE;2;1;synced;;/);
    expect(lines).toHaveLength(5);
    await clock.sleep(2 * dayMs);
    const again = ['-o', file('results.csv'), '--overwrite', '--map', 'external_id='];
    expect((await sync(...again)).exit).toBe(0);
  });

  it('prints a line for each row and the summary with --json, and IDs with -q', async () => {
    const { sync } = await newWorld('name\nAcme\nBad\nAcme\n');
    const { stdout, exit } = await sync('--json');
    expect(exit).toBe(9);
    expect(jsonLines(stdout)).toMatchObject([
      { line: 2, ok: true, id: 1, status: 'synced', record: { name: 'Acme' } },
      { line: 3, ok: false, error: { code: 'rejected' } },
      { line: 4, ok: true, id: 1, record: { name: 'Acme' } },
      { summary: { registered: 1, synced: 1, rejected: 1, exit: 9 } },
    ]);
    expect((await sync('-q')).stdout).toBe('1\n1\n');
  });

  it('counts only organizations that it did not know as registered', async () => {
    const { sync, carbon, path } = await newWorld();
    await carbon('batch', path);
    appendFileSync(path, 'Hooli\n');
    expect((await sync()).stderr).toContain('4 of 4 organizations up to date in');
    rmSync(`${path}.carbon.jsonl`);
    expect((await sync('--restart')).stderr).not.toContain('registered.');
  });

  it('warns of a list that has lost most of its rows, and keeps the records', async () => {
    const { sync, path, stored, seen, carbon } = await newWorld();
    await sync();
    const before = stored();
    const requests = seen.length;
    writeFileSync(path, 'name\n');
    const { exit, stderr } = await sync('--no-progress');
    expect(exit).toBe(2);
    expect(stderr).toContain(`${path} has no rows, but it had 3 organizations; nothing was sent`);
    expect(stored()).toEqual(before);
    writeFileSync(path, 'name\nGlobex\n');
    expect((await sync('--no-progress')).stderr).toContain(
      `${path} has 1 row, with 1 of the 3 organizations that it had.`,
    );
    expect((await sync('--no-progress')).stderr).toBe('');
    expect((await carbon('list', path, '-q')).stdout).toBe('2\n');
    expect(stored()).toHaveLength(3);
    expect(seen.length).toBe(requests);
  });

  it('says which organizations the service could not match, and how to match them', async () => {
    const { sync, path, home } = await newWorld(
      'name\nAcme\nUnmatched A\nUnmatched B\nUnmatched A\n',
    );
    const shown = async (...flags: string[]) =>
      (await sync(...flags)).stderr.replaceAll(home, '<home>').replace(/in \d+ s/, 'in <time>');
    const ends = [await shown(), await shown()].map((text) =>
      text.slice(text.indexOf('3 of 3 organizations'), text.indexOf('Next:')),
    );
    expect(ends[0]).toMatchInlineSnapshot(`
      "3 of 3 organizations up to date in <time>, 2 of them not matched (Unmatched A, line 3; Unmatched B, line 4). Rows: 3 registered.
      To match the 2 that are not matched, fill a new column Website for their rows, then run:
        carbon sync <home>/suppliers.csv --map website=Website
      "
    `);
    // A later run reads it from the records that an earlier one kept.
    expect(ends[1]).toBe(ends[0]?.replace(' Rows: 3 registered.', ''));
    const status = await transcript(['sync', path, '--status'], { home });
    expect(status.replaceAll(home, '<home>').replace(/written: .*/, '')).toMatchInlineSnapshot(`
      "Nothing to send: 4 of 4 rows registered. 2 organizations not matched (Unmatched A, line 3; Unmatched B, line 4).
      <home>/suppliers.csv: 4 rows, registered as 3 organizations
      suppliers.csv.carbon.jsonl, last 

      Rows  Registered  Rejected  Invalid  Remaining
      ────  ──────────  ────────  ───────  ─────────
         4           4         0        0          0

      To match the 2 that are not matched, fill a new column Website for their rows, then run:
        carbon sync <home>/suppliers.csv --map website=Website
      --- exit 0"
    `);
    expect((await sync('--json')).stderr).not.toContain('matched');
    writeFileSync(path, 'name\nAcme\n');
    expect((await sync('--accept-removed')).stderr).not.toContain('matched');
  });

  it('says what a run would do with --dry-run, and writes nothing', async () => {
    const { sync, path, clock, seen } = await newWorld();
    const both = ['--currency', 'EUR', '--currency', 'USD'];
    expect((await sync('--dry-run', ...both)).stderr).toContain(
      'A run would register 3 organizations and retrieve 6 records.',
    );
    expect(existsSync(`${path}.records.ndjson`)).toBe(false);
    await sync();
    await clock.sleep(2 * dayMs);
    const before = seen.length;
    expect((await sync('--dry-run')).stderr).toContain(
      'A run would register nothing new and retrieve 3 records.',
    );
    expect(seen.length).toBe(before);
  });

  it('says what a run would do with --dry-run, with and without an account', async () => {
    const { home, path, sync, carbon, env } = await newWorld('name\nAcme\nAcme\nGlobex\nBad\n');
    const { CARBON_BASE_URL = '' } = env;
    const accounts = [env, { CARBON_BASE_URL }, {}];
    const dryRuns = async (...flags: string[]) => {
      const words = ['sync', path, '--dry-run', ...flags];
      const runs = [];
      for (const each of accounts) runs.push((await run(words, { home, env: each })).stderr);
      expect(runs.slice(1)).toEqual([runs[0], runs[0]]);
      return runs[0];
    };
    expect(await dryRuns()).toMatchInlineSnapshot(`
      "A run would register 3 organizations and retrieve 3 records.
      Columns: name → name
      Checked 4 rows: 3 new, 1 duplicate
      "
    `);
    expect(await dryRuns('--max-new', '1')).toMatchInlineSnapshot(`
      "A run would register 1 organization and retrieve 1 record.
      Columns: name → name
      Checked 4 rows: 3 new, 1 duplicate
      "
    `);
    await sync();
    expect(await dryRuns()).toMatchInlineSnapshot(`
      "A run would send nothing; 1 row stays rejected.
      Columns: name → name
      Checked 4 rows: 0 new, 3 already registered, 1 rejected earlier
      Rejected: line 5 "Bad": Unrecognized parameters: no
      Correct this row. The next run sends corrected rows, and unchanged ones only with --retry-failed.
      "
    `);
    expect(await dryRuns('--retry-failed')).toMatchInlineSnapshot(`
      "A run would register 1 organization and retrieve 1 record.
      Columns: name → name
      Checked 4 rows: 1 again, 3 already registered
      "
    `);
    for (const more of [[], ['--dry-run']])
      expect(
        await carbon('sync', path, '--sandbox', '--base-url', CARBON_BASE_URL, ...more),
      ).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('--sandbox cannot be combined with --base-url'),
      });
  });

  it('ends with an error for the records of a part of the list', async () => {
    const { sync, path, carbon, seen } = await newWorld();
    await sync();
    const requests = seen.length;
    const [part, whole] = [`${path}.2-of-2.records.ndjson`, `${path}.records.ndjson`];
    const text = readFileSync(whole);
    renameSync(whole, part);
    for (const command of ['list', 'sync', 'report', 'check']) {
      const { exit, stderr } = await carbon(command, path);
      expect([command, exit, stderr]).toEqual([
        command,
        2,
        `Error: ${part} belongs to a part of ${path}, and carbon no longer reads files of parts\nHint: Add it to the file of the whole list, then move it away: cat ${part} >> ${whole}\n`,
      ]);
    }
    expect(seen).toHaveLength(requests);
    rmSync(part);
    writeFileSync(whole, text);
    expect((await carbon('list', path, '-q')).stdout).toBe('1\n2\n3\n');
  });

  it('knows from the last run that the service has no record', async () => {
    const { sync, add, stored, path, carbon } = await newWorld();
    const globex = add('Globex', 'synced');
    globex.isGone = true;
    const first = await sync('--no-progress');
    expect(first.exit).toBe(9);
    expect(first.stderr).toContain('Not retrieved: 1: No organization has ID 1');
    expect(await sync('--no-progress')).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect((await sync()).stderr).toMatch(
      /^2 of 3 organizations up to date in .*, 1 without a record\.$/m,
    );
    expect((await carbon('list', path, '-q')).stdout).toBe('2\n3\n');
    globex.isGone = false;
    await sync();
    expect(stored().map(({ record }) => (record as Organization).name)).toEqual([
      'Acme',
      'Globex',
      'Initech',
    ]);
  });

  it('shows the remaining rows with --status', async () => {
    const { sync, path } = await newWorld();
    const none = await sync('--status');
    expect([none.exit, none.stdout]).toEqual([8, expect.stringContaining(`carbon sync ${path}`)]);
    await sync();
    expect((await sync('--status')).exit).toBe(0);
  });

  it('counts what it did not retrieve after an error that ends the run', async () => {
    const { sync, organization, clock } = await newWorld();
    await sync();
    await clock.sleep(2 * dayMs);
    organization('Globex').isForbidden = true;
    const { exit, stderr } = await sync('--concurrency', '1', '--no-progress');
    expect(exit).toBe(4);
    expect(stderr).toMatch(
      /^Not finished after .*: 1 of 3 organizations up to date, 2 not retrieved\./m,
    );
  });

  it('keeps its files in another directory with --keep, those of one list of each name', async () => {
    const { sync, path, carbon, file, home } = await newWorld();
    const keep = ['--keep', file('kept')];
    const first = await sync(...keep);
    expect(first.stderr).toContain(`Next:\n  carbon list ${path} --keep ${file('kept')}\n`);
    expect(readdirSync(home)).toEqual(['kept', 'suppliers.csv']);
    expect(readdirSync(file('kept')).sort()).toEqual([
      'suppliers.csv.carbon.jsonl',
      'suppliers.csv.records.ndjson',
    ]);
    expect((await carbon('list', path)).stderr).toContain(`carbon sync ${path}`);
    expect((await carbon('list', path, ...keep, '-q')).stdout).toBe('1\n2\n3\n');
    writeFileSync(path, 'name\nAcme\nGlobex\nInitech\nHooli\n');
    expect((await carbon('list', path, ...keep)).stderr).toContain(
      `carbon sync ${path} --keep ${file('kept')}`,
    );
    mkdirSync(join(home, 'other'));
    const other = join(home, 'other/suppliers.csv');
    writeFileSync(other, 'name\nAcme\n');
    const belongs = `belongs to another list of the same name: ${path}`;
    for (const words of [['sync'], ['batch', '--status'], ['list']])
      expect(await carbon(...words, other, ...keep)).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining(belongs),
      });
    // A moved list continues; a list with another name does not.
    renameSync(path, file('renamed.csv'));
    const { stderr } = await carbon('sync', file('renamed.csv'), '--dry-run', ...keep);
    expect(stderr).toContain(`no journal, but ${join(file('kept'), 'suppliers.csv')}.* belong to`);
    expect((await carbon('list', other, ...keep, '-q')).stdout).toBe('1\n2\n3\n');
  });

  it('names the command that continues when the journal is lost', async () => {
    const { sync, path, seen, stored } = await newWorld();
    await sync();
    const before = seen.length;
    rmSync(`${path}.carbon.jsonl`);
    const { exit, stderr } = await sync();
    expect(exit).toBe(2);
    expect(stderr).toContain(`If the journal ${path}.carbon.jsonl is lost, restore it, or use`);
    expect(seen.length).toBe(before);
    expect((await sync('--restart')).exit).toBe(0);
    expect(stored()).toHaveLength(3);
  });

  it('refuses the records of another service, and names a damaged line', async () => {
    const { sync, carbon, path, stored } = await newWorld();
    await sync();
    renameSync(`${path}.carbon.jsonl`, `${path}.old`);
    for (const more of [[], ['--dry-run']]) {
      const { exit, stderr } = await carbon(
        'sync',
        path,
        '--base-url',
        'https://other.test',
        ...more,
      );
      expect([exit, stderr]).toEqual([
        2,
        expect.stringContaining('but this run uses https://other.test'),
      ]);
    }
    renameSync(`${path}.old`, `${path}.carbon.jsonl`);
    const text = readFileSync(`${path}.records.ndjson`, 'utf8');
    writeFileSync(`${path}.records.ndjson`, text.replace(/^.{40}/, '\0'.repeat(40)));
    const damaged = `${path}.records.ndjson, line 1, has text that is not a record of a list`;
    for (const { exit, stderr } of [await carbon('list', path), await sync()])
      expect([exit, stderr]).toEqual([2, expect.stringContaining(damaged)]);
    writeFileSync(`${path}.records.ndjson`, text.replace(/^.*\n/, ''));
    expect((await sync()).exit).toBe(0);
    expect(stored().map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('skips what a power failure, an editor or a kill left at the end of a file, and cuts it', async () => {
    const tails = ['\0'.repeat(5_000), '\n', 'part'] as const;
    for (const name of ['records.ndjson', 'history.ndjson', 'carbon.jsonl'])
      for (const tail of tails) {
        const { sync, path, clock, carbon, organization, stored, history } = await newWorld();
        await sync();
        const change = (factor: number) => {
          organization('Acme').scope1 *= factor;
          return clock.sleep(dayMs);
        };
        await change(2);
        await sync();
        const file = `${path}.${name}`;
        const before = readFileSync(file, 'utf8');
        const part = name === 'carbon.jsonl' ? '{"key":"0' : '{"id":1,"curr';
        appendFileSync(file, tail === 'part' ? part : tail);
        const damaged = readFileSync(file, 'utf8');
        await change(2);
        const readers = [
          await carbon('list', path, '--at', '2026-01-16', '-q'),
          await carbon('report', path),
          await carbon('batch', path, '--status'),
          await sync('--dry-run'),
        ];
        expect(readers.map(({ exit }) => exit)).toEqual([0, 0, 0, 0]);
        expect(readFileSync(file, 'utf8')).toBe(damaged);
        const next = await sync();
        expect([next.exit, next.stderr]).toEqual([
          0,
          expect.not.stringMatching(/warn|damag|line/i),
        ]);
        expect(
          stored().map(({ record }) => record.performances[0].emissions.scope_1.total),
        ).toEqual([400, 100, 100]);
        expect(history()).toHaveLength(2);
        if (name !== 'records.ndjson')
          expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true);
        expect(readFileSync(file, 'utf8')).not.toMatch(/\0|\n\n/);
      }
  });

  it('changes nothing in a file with other text at its end, and names the line', async () => {
    for (const name of ['records.ndjson', 'history.ndjson', 'carbon.jsonl']) {
      const { sync, path, clock, organization, seen } = await newWorld();
      for (const _ of [1, 2, 3]) {
        await sync();
        organization('Acme').scope1 *= 2;
        await clock.sleep(dayMs);
      }
      const file = `${path}.${name}`;
      appendFileSync(file, 'my notes');
      const damaged = readFileSync(file, 'utf8');
      const line = damaged.split('\n').length;
      const requests = seen.length;
      const { exit, stderr } = await sync();
      expect([exit, stderr]).toEqual([
        2,
        expect.stringContaining(`${file}, line ${line}, has text`),
      ]);
      expect([readFileSync(file, 'utf8'), seen.length]).toEqual([damaged, requests]);
    }
  });

  it('is named by other commands for a list without records, or with new rows', async () => {
    const { sync, carbon, path } = await newWorld();
    for (const command of ['list', 'report', 'check']) {
      const { exit, stderr } = await carbon(command, path);
      expect([exit, stderr]).toEqual([2, expect.stringContaining(`carbon sync ${path}`)]);
    }
    await sync();
    const missing = async () =>
      /^Warning: (.*) no record\./m.exec((await carbon('list', path)).stderr)?.[1];
    expect(await missing()).toBeUndefined();
    const records = readFileSync(`${path}.records.ndjson`);
    appendFileSync(path, 'Hooli\n');
    expect(await missing()).toBe(`1 row of ${path} has`);
    expect((await carbon('check', path)).stderr).toContain('Compared with 3 rows of');
    await sync();
    expect(await missing()).toBeUndefined();
    // A backup of the records.
    writeFileSync(`${path}.records.ndjson`, records);
    expect(await missing()).toBe(`1 row of ${path} has`);
    await sync();
    writeFileSync(path, 'name\nAcme\nGlobex\nInitech\nHoola\n');
    expect(await missing()).toBe(`1 row of ${path} has`);
  });
  it('shows the organizations that were listed on a day, with --at and with diff --since', async () => {
    const { sync, clock, carbon, path } = await newWorld('name\nA\nB\nC\nD\n');
    const month = async (names: string) => {
      writeFileSync(path, `name\n${names.replaceAll(' ', '\n')}\n`);
      expect((await sync()).exit).toBe(0);
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      await clock.sleep(30 * dayMs);
      return day;
    };
    const names = async (day: string) => {
      const { stdout } = await carbon('list', path, '--at', day, '--columns', 'name');
      return stdout.trim().split('\n').sort().join(' ');
    };
    const changes = async (day: string) => {
      const { stdout } = await carbon('diff', path, '--since', day, '--json');
      return jsonLines(stdout).map(({ change, name }) => `${change} ${name}`);
    };
    const days = [await month('A B C D'), await month('C D E F'), await month('C D E F A')];
    const [first = '', second = '', third = ''] = days;
    expect(await Promise.all(days.map(names))).toEqual(['A B C D', 'C D E F', 'A C D E F']);
    expect((await changes(first)).sort()).toEqual(['new E', 'new F', 'removed B']);
    expect(await changes(second)).toEqual(['new A']);
    expect((await carbon('diff', path, '--since', third)).stderr).toContain(
      `None of 5 companies changed since ${dateText(third)}.`,
    );
  });

  it('says that it does not know which rows were listed before a store had the days', async () => {
    const { sync, clock, carbon, path, stored } = await newWorld();
    await sync();
    const today = () => new Date(clock.now()).toISOString().slice(0, 10);
    const day = today();
    await clock.sleep(9 * dayMs);
    writeFileSync(path, 'name\nAcme\nGlobex\n');
    await sync();
    // As a run leaves it that is killed before it notes the days.
    const text = stored().map(({ listed: _, record, ...head }) => {
      return `${JSON.stringify({ ...head, record })}\n`;
    });
    writeFileSync(`${path}.records.ndjson`, text.join(''));
    const list = (...flags: string[]) => carbon('list', path, '--columns', 'name', ...flags);
    for (const again of [false, true]) {
      if (again) await sync('--max-age', '0');
      const { stdout, stderr } = await list('--at', day);
      expect(stdout).toBe('Acme\nGlobex\nInitech\n');
      expect(stderr).toContain(
        `${path}: carbon does not know whether 2 of these companies were listed on ${dateText(day)}`,
      );
    }
    expect((await list()).stdout).toBe('Acme\nGlobex\n');
    // The run has written the days.
    const { stdout, stderr } = await list('--at', today());
    expect([stdout, stderr]).toEqual(['Acme\nGlobex\n', expect.not.stringContaining('not know')]);
  });
});
