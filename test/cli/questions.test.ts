import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keys, newFolder, run, transcript, type World } from '../support/run.ts';
import { serve } from '../support/server.ts';

const terminal: World = { terminal: 200, isAnimated: true };

const withoutEscapes = (text: string) => text.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');

/** Returns what a terminal shows of a first question, and its options. */
function readQuestion(stderr: string) {
  const [asked = ''] = stderr.split(/\n[^\n]*Enter:/, 1);
  const lines = asked.split('\n');
  const options = lines.filter((line) => /^[●○] /.test(line));
  return {
    shown: lines.slice(0, lines.length - options.length),
    labels: options.map((line) => line.slice(2)),
    initial: options.findIndex((line) => line.startsWith('●')),
  };
}

/**
 * Chooses each option of a question in turn, and leaves every later question. Returns the question,
 * and what each option runs.
 */
async function waysOut(argv: readonly string[], folder = '', world: World = {}): Promise<string> {
  const answer = (typed: string) => {
    const others = [keys.escape, keys.escape, keys.escape];
    return run(argv, { ...terminal, ...world, typed: [typed, ...others] });
  };
  const { shown, labels, initial } = readQuestion(
    withoutEscapes((await answer(keys.escape)).stderr),
  );
  const ways: string[] = [];
  for (const [index, label] of labels.entries()) {
    const steps = index - initial;
    const moves = (steps < 0 ? keys.up : keys.down).repeat(Math.abs(steps));
    const { exit, stderr } = await answer(`${moves}${keys.enter}`);
    const [line = `exit ${exit}`] =
      /^(?:Running|To continue, run): .*$/m.exec(withoutEscapes(stderr)) ?? [];
    ways.push(`${label} → ${line}`);
  }
  return [...shown, ...ways].join('\n').replaceAll(`${folder}/`, '');
}

interface Case {
  readonly files?: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
}

/** Writes the files of a case, and returns its command line and what a pipe prints. */
async function inPipe({ files = {}, argv }: Case) {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const line = argv.map((word) => (word in files ? join(folder, word) : word));
  const pipe = (await transcript(line)).replaceAll(`${folder}/`, '');
  return { folder, line, pipe };
}

const severalNames: Case = {
  files: { 'list.csv': 'Company,Firma,Land\nAcme AG,Borealis GmbH,DE\nDeep Sea Ltd,東京商事,GB\n' },
  argv: ['sync', 'list.csv', '--sandbox', '--dry-run'],
};

describe('a question at a terminal', () => {
  it('offers each column that may hold the name', async () => {
    const { folder, line, pipe } = await inPipe(severalNames);
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "Error: Several columns may hold the organization name
      ◆  Which column has the organization name? (Esc: stop)
      Company: Acme AG, Deep Sea Ltd → Running: carbon sync list.csv --sandbox --dry-run --map name=Company
      Firma: Borealis GmbH, 東京商事 → Running: carbon sync list.csv --sandbox --dry-run --map name=Firma
      None of these → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: Several columns may hold the organization name: Company (Acme AG, Deep Sea Ltd), Firma (Borealis GmbH, 東京商事)
      Hint: Choose one: --map name=Company or --map name=Firma
      --- exit 2"
    `);
  });

  it('offers each column if none looks like the name', async () => {
    const list = 'Code,Betreff,Land\n4711,Acme AG,DE\n4712,Deep Sea Ltd,GB\n4713,,FR\n';
    const { folder, line, pipe } = await inPipe({
      files: { 'list.csv': list },
      argv: ['sync', 'list.csv', '--sandbox', '--dry-run'],
    });
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "Error: No column looks like an organization name
      ◆  Which column has the organization name? (Esc: stop)
      Betreff: Acme AG, Deep Sea Ltd → Running: carbon sync list.csv --sandbox --dry-run --map name=Betreff
      None of these; if the file has no header line, add one → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: No column looks like an organization name. Columns and first values: Code (4711), Betreff (Acme AG), Land (DE)
      Hint: Choose the column, such as --map name=Betreff. If the file has no header line, add one.
      --- exit 2"
    `);
  });

  it('offers the first lines as the header', async () => {
    const list =
      'Suppliers,\nState: draft,\nFirm,Place,Land\nAcme AG,Bonn,DE\nDeep Sea Ltd,York,GB\n';
    const { folder, line, pipe } = await inPipe({
      files: { 'list.csv': list },
      argv: ['sync', 'list.csv', '--sandbox', '--dry-run'],
    });
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "Error: No column looks like an organization name
      ◆  Which line is the header? (Esc: stop)
      Line 2: State: draft → Running: carbon sync list.csv --sandbox --dry-run --skip-lines 1
      Line 3: Firm, Place, Land → Running: carbon sync list.csv --sandbox --dry-run --skip-lines 2
      Line 4: Acme AG, Bonn, DE → Running: carbon sync list.csv --sandbox --dry-run --skip-lines 3
      Line 5: Deep Sea Ltd, York, GB → Running: carbon sync list.csv --sandbox --dry-run --skip-lines 4
      Stop → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: No column looks like an organization name. Columns and first values: Suppliers (State: draft),  (Place)
      Hint: The header seems to be on line 3: use --skip-lines 2.
      --- exit 2"
    `);
  });

  it('offers to leave out invalid rows, or their invalid identifiers', async () => {
    const list =
      'name,country,lei\nAcme AG,DE,5299\nDeep Sea Ltd,GB,\nBorealis GmbH,XX,\nKappa Oy,FI,5299\n';
    const { folder, line, pipe } = await inPipe({
      files: { 'list.csv': list },
      argv: ['batch', 'list.csv', '--sandbox', '--dry-run'],
    });
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "Columns: name → name, country → hq_region, lei → lei_number
      Checked 4 rows: 1 new, 3 invalid
      line 2: lei "5299" is not an LEI: 18 letters or digits, then 2 digits
      line 4: country "XX" is not an ISO 3166-1 two-letter country code
      line 5: lei "5299" is not an LEI: 18 letters or digits, then 2 digits
      Error: list.csv has 3 invalid rows; nothing was sent
      ◆  What should happen to the invalid rows? (Esc: stop)
      Leave out 3 invalid rows: 1 new row to send → Running: carbon batch list.csv --sandbox --dry-run --invalid skip
      Send 2 rows without the invalid identifiers: 3 new rows to send, 1 left out → Running: carbon batch list.csv --sandbox --dry-run --invalid drop-ids
      Stop → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Columns: name → name, country → hq_region, lei → lei_number
      Checked 4 rows: 1 new, 3 invalid
      line 2: lei "5299" is not an LEI: 18 letters or digits, then 2 digits
      line 4: country "XX" is not an ISO 3166-1 two-letter country code
      line 5: lei "5299" is not an LEI: 18 letters or digits, then 2 digits
      Error: list.csv has 3 invalid rows; nothing was sent
      Hint: Fix the file, or send only the valid rows with --invalid skip; --invalid drop-ids leaves out invalid LEI, ISIN and D-U-N-S numbers.
      --- exit 2"
    `);
  });

  it('offers to leave out headings of groups', async () => {
    const list =
      'name,country,sector\nDomestic,,\nAcme AG,DE,Steel\nKappa Oy,FI,Paper\nForeign,,\nDeep Sea Ltd,GB,Fish\nZeta SA,FR,Wine\nTotal,,\n';
    const { folder, line, pipe } = await inPipe({
      files: { 'list.csv': list },
      argv: ['batch', 'list.csv', '--sandbox', '--dry-run'],
    });
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "Error: list.csv: 2 rows with nothing but a name seem to be headings of groups: lines 2, 5: "Domestic", "Foreign"
      ◆  What should happen to these rows? (Esc: stop)
      Leave out 2 rows → Running: carbon batch list.csv --sandbox --dry-run --doubtful skip
      Send 2 rows as organizations → Running: carbon batch list.csv --sandbox --dry-run --doubtful send
      Stop → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: list.csv: 2 rows with nothing but a name seem to be headings of groups: lines 2, 5: "Domestic", "Foreign"
      Hint: To leave out these rows, use --doubtful skip. To register them as organizations, use --doubtful send.
      --- exit 2"
    `);
  });

  it('offers the sandbox for a list without a service, and shows how to log in', async () => {
    const { folder, line, pipe } = await inPipe({
      files: { 'list.csv': 'name\nAcme AG\n' },
      argv: ['batch', 'list.csv'],
    });
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "Error: No service is configured: there is no base URL
      ◆  Where should the list be registered? (Esc: stop)
      In the sandbox: no account, synthetic data → Running: carbon batch list.csv --sandbox
      At a service: log in first → To continue, run: carbon login --base-url https://...
      Stop → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: No service is configured: there is no base URL
      Hint: Run \`carbon login --base-url https://...\` to store a base URL and its API key, or use --sandbox, which needs neither.
      --- exit 2"
    `);
    const env = { CARBON_BASE_URL: 'https://a.example' };
    expect(await waysOut(line, folder, { env })).toMatchInlineSnapshot(`
      "Error: There is no API key for https://a.example
      ◆  Where should the list be registered? (Esc: stop)
      In the sandbox: no account, synthetic data → Running: carbon batch list.csv --sandbox
      At a service: log in first → To continue, run: carbon login --base-url https://a.example
      Stop → exit 4"
    `);
  });

  it('offers another name for a file that exists', async () => {
    const { folder, line, pipe } = await inPipe({
      files: { 'list.csv': 'name\nAcme AG\n', 'out.csv': 'mine\n' },
      argv: ['batch', 'list.csv', '--sandbox', '-o', 'out.csv'],
    });
    const changed = /last changed \d+ \w+ \d+/;
    expect((await waysOut(line, folder)).replace(changed, 'last changed D')).toMatchInlineSnapshot(`
      "Error: -o: out.csv: this file already exists
      ◆  Where should the result go? (Esc: stop)
      Replace out.csv: last changed D → Running: carbon batch list.csv --sandbox -o out.csv --overwrite
      Write out-2.csv → Running: carbon batch list.csv --sandbox -o out-2.csv
      Stop → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: -o: out.csv: this file already exists
      Hint: Use another name, such as -o out-2.csv. To replace it, run: carbon batch list.csv --sandbox -o out.csv --overwrite
      --- exit 2"
    `);
  });

  it.each<string[]>([
    ['sycn', 'list.csv', '--sandbox', '--dry-run'],
    ['sycn', 'list.csv', '--token=canary', '--sandbox'],
    ['upload', 'list.csv', '--sandbox', '--dry-run'],
    ['register', 'Dee', 'GmbH', '--sandbox', '--dry-run'],
    ['register', '--sandbox', '--name', 'Dee', 'GmbH', '--dry-run'],
    ['register', 'list.csv', '--sandbox'],
    ['register', '--name', 'list.csv', '--sandbox'],
    ['register', '--name', 'Acme', '--wait', '10m', '--sandbox'],
    ['register', 'CARBON_API_KEY=canary'],
    ['frobnicate'],
  ])('offers the command that was probably meant: %s %s %s %s', async (...argv) => {
    const asked = await waysOut(argv);
    expect(asked).not.toContain('canary');
    expect(`${asked}\n${await transcript(argv)}`).toMatchSnapshot();
  });

  it('stops with the error of a pipe after Esc, and with 130 after Ctrl-C', async () => {
    const { folder, line, pipe } = await inPipe(severalNames);
    const left = await run(line, { ...terminal, typed: [keys.escape] });
    expect(left.exit).toBe(2);
    const [, message = '', hint = ''] = /(Error: .*)\n(Hint: .*)/.exec(pipe) ?? [];
    const shown = left.stderr.replaceAll(`${folder}/`, '');
    expect(shown).toContain(`${message}\n${hint}\n`);
    const stopped = await run(line, { ...terminal, typed: ['\u0003'] });
    expect(stopped.exit).toBe(130);
    expect(stopped.stderr).not.toContain('Hint:');
    const ended = await run(line, { ...terminal, typed: ['\u0004'] });
    expect(ended.exit).toBe(2);
  });

  it.each<[string, string[], World]>([
    ['--json', ['--json'], {}],
    ['--no-progress', ['--no-progress'], {}],
    ['standard output in a file', [], { isRedirected: true }],
    ['CI or TERM=dumb', [], { isAnimated: false }],
    ['standard input in a pipe', [], { stdin: '' }],
  ])('is not asked with %s', async (_, more, world) => {
    const { line } = await inPipe(severalNames);
    const typed = 'stdin' in world ? {} : { typed: [keys.enter] };
    const { exit, stderr } = await run([...line, ...more], { ...terminal, ...typed, ...world });
    expect(exit).toBe(2);
    expect(stderr).not.toMatch(/\u001b|Running/);
    expect(stderr).toContain('--map name=Firma');
  });

  it('shows text of a file without its control characters', async () => {
    const { line } = await inPipe({
      files: { 'list.csv': '"Com\u001b[2Jpany",Firma\nAcme\u202e AG,Borealis GmbH\n' },
      argv: ['sync', 'list.csv', '--sandbox', '--dry-run', '--map', 'name=', '--no-color'],
    });
    const { stderr } = await run(line, { ...terminal, typed: [keys.escape] });
    expect(stderr).not.toMatch(/\u001b\[2J|\u202e/);
  });
});

describe('the question before organizations are registered', () => {
  const files = { 'list.csv': 'name,hq_region\nAcme AG,DE\nBorealis GmbH,AT\n' };
  const record = { json: { id: 1, name: 'Acme AG', status: 'synced' } };

  async function ask(more: readonly string[], typed: readonly string[], world: World = {}) {
    const { env, url, seen } = await serve(record);
    const { line } = await inPipe({ files, argv: ['batch', 'list.csv', ...more] });
    const outcome = await run(line, { ...terminal, env, typed, ...world });
    return { ...outcome, host: new URL(url).host, seen: seen.length, line, env };
  }

  it.each([
    ['Enter', keys.enter, 2],
    ['n', 'n', 2],
    ['Esc', keys.escape, 2],
    ['Ctrl-D', '\u0004', 2],
    ['Ctrl-C', '\u0003', 130],
  ])('sends nothing after %s', async (_, typed, code) => {
    const { exit, stderr, host, seen } = await ask([], [typed]);
    expect([exit, seen]).toEqual([code, 0]);
    const shown = withoutEscapes(stderr);
    expect(shown).toContain('Checked 2 rows: 2 new\n');
    expect(shown).toContain(
      `Register 2 new organizations at ${host}? It uses quota and cannot be undone. (y/N)`,
    );
    expect(shown.includes('Nothing was sent.\n')).toBe(code === 2);
    expect(shown).not.toMatch(/Error|Hint/);
  });

  it('registers after y, and then asks no more because no row is new', async () => {
    const { exit, seen, line, env } = await ask([], ['y']);
    expect([exit, seen]).toEqual([0, 2]);
    const again = await run(line, { ...terminal, env, typed: [] });
    expect(again.exit).toBe(0);
    expect(again.stderr).not.toContain('Register');
  });

  it.each<[string, string[], World]>([
    ['--yes', ['--yes'], {}],
    ['--sandbox', ['--sandbox'], {}],
    ['--max-new 0', ['--max-new', '0'], {}],
    ['--no-progress', ['--no-progress'], {}],
    ['a pipe', [], { isAnimated: false }],
  ])('is not asked with %s', async (_, more, world) => {
    const [command, ...others] = more.includes('--max-new')
      ? ['sync', ...more]
      : ['batch', ...more];
    const { env } = await serve(record);
    const { line } = await inPipe({ files, argv: [command ?? '', 'list.csv', ...others] });
    const { stderr } = await run(line, { ...terminal, env, typed: [keys.enter], ...world });
    expect(stderr).not.toContain('Register ');
    expect(stderr).not.toContain('Nothing was sent.');
  });

  it('counts no more than --max-new, and is no answer to another question', async () => {
    const { env } = await serve(record);
    const sync = await inPipe({ files, argv: ['sync', 'list.csv', '--max-new', '1'] });
    const { stderr } = await run(sync.line, { ...terminal, env, typed: [keys.enter] });
    expect(stderr).toContain('Register 1 new organization at');
    const { line } = await inPipe(severalNames);
    const other = await run([...line, '--yes'], { ...terminal, typed: [keys.escape] });
    expect(other.exit).toBe(2);
    expect(other.stderr).toContain('Which column');
  });
});
