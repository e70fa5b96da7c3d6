import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { organizationTable } from '../../../../src/portfolio/organizations/tables.ts';
import { book } from '../../../lists/table/book.ts';
import { newList, serveOrganizations } from '../../../promises/scene.ts';
import { VirtualClock } from '../../../support/clock.ts';
import { jsonLines, newFolder, run, transcript } from '../../../support/run.ts';

const records = [
  { id: 1, name: 'Acme AG', hq_region: 'DE', status: 'created' },
  {
    id: 2,
    name: 'Globex',
    hq_region: 'GB',
    status: 'synced',
    score: 0.4,
    performances: [{ year: 2024, emissions: { total: 7 } }],
  },
  {
    id: 1,
    name: 'Acme AG',
    hq_region: 'DE',
    status: 'synced',
    score: 0.6,
    performances: [{ year: 2024, emissions: { total: 12 } }],
  },
];
const ndjson = records
  .map((record, index) =>
    JSON.stringify({ id: record.id, retrieved_at: `2026-01-0${index + 1}T00:00:00Z`, record }),
  )
  .map((line) => `${line}\n`)
  .join('');

function fileOf(text: string, name = 'records.ndjson'): string {
  const path = join(newFolder(), name);
  writeFileSync(path, text);
  return path;
}

describe('carbon report', () => {
  it('prints the unit in a pipe', async () => {
    const stdin = '{"id":1,"performances":[{"year":2024,"emissions":{"scope_1":{"total":1}}}]}\n';
    const { stdout } = await run(['report', '-', '--unit', 't'], { stdin });
    expect(stdout.split('\n')).toContain('unit: t');
    expect((await run(['report', '-', '--unit', 't', '--full'], { stdin })).stdout).toContain(
      '\nunit: t\n',
    );
    expect(stdout).toContain('scope 1 1 t (1)\n');
    expect((await run(['report', '-'], { stdin })).stdout.match(/unit.*/g)).toEqual([
      'unit: unknown (if you know it: --unit t or --unit kg)',
    ]);
  });

  // Who asks for tons may have records in kilograms: a guess would be wrong by 1,000.
  it.each(['tons', 'Tonnes', 'tCO2e', 'lb'])('guesses no unit from %s', async (word) => {
    for (const command of ['report', 'list', 'footprint']) {
      const { exit, stderr } = await run([command, 'list.csv', '--unit', word]);
      expect([exit, stderr]).toEqual([
        2,
        `Error: --unit: "${word}" is not one of t, kg\nHint: Write --unit t or --unit kg. It is the unit of the records: nothing is converted. To find it out, compare one company with its own report (carbon help docs: faq.md).\n`,
      ]);
    }
  });

  it('knows which unit kilograms means', async () => {
    const { stderr } = await run(['report', 'list.csv', '--unit', 'kilograms']);
    expect(stderr).toContain('Did you mean --unit kg?');
  });

  it.each(['report', 'get', 'watch', 'diff'])(
    'says in the help of %s how to find out the unit',
    async (of) => {
      expect((await run(['help', of])).stdout).toContain(
        'Which unit the records are in: docs/faq.md (carbon help docs).',
      );
    },
  );

  it('summarizes a file in a pipe', async () => {
    expect(
      await transcript(['report', fileOf(`${ndjson}{"line":4,"ok":false,"error":{}}\n`)]),
    ).toMatchSnapshot();
  });

  it('reads several inputs, standard input among them, as one portfolio', async () => {
    const { stdout, exit } = await run(['report', fileOf(ndjson), '-', '--json'], {
      stdin: '{"id":3,"status":"errored"}\n{"id":2,"status":"errored"}\n',
    });
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      organizations: 3,
      research: { finished: 1, in_progress: 0, errored: 2 },
      input: { records: 5, superseded: 2 },
      score: { organizations: 1, median: 0.6 },
    });
  });

  it('prints the latest record of each organization as CSV', async () => {
    const { stdout } = await run(['report', fileOf(ndjson), '--csv']);
    const lines = stdout
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(lines[0]).toEqual(organizationTable.written.map(({ name }) => name));
    expect(lines.slice(1).map(([id, name, status]) => [id, name, status])).toEqual([
      ['2', 'Globex', 'synced'],
      ['1', 'Acme AG', 'synced'],
    ]);
  });

  it.each([
    [['a.ndjson', '--out', 'x.csv'], 'does not end with .html or .xlsx'],
    [['a.ndjson', '--out', 'x.csv'], 'Write -o x.html, or use --csv > x.csv.'],
    [['a.ndjson', '--out', 'x.pdf'], 'Write -o x.html, and print the page to PDF in a browser.'],
    [['-', '-'], '- was given twice'],
    [['missing.ndjson'], 'missing.ndjson: no such file or directory'],
    [['.'], '. is a directory'],
  ])('refuses %j', async (words, expected) => {
    const { exit, stdout, stderr } = await run(['report', ...words]);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(expected);
  });

  it('skips a truncated last line with a warning', async () => {
    const path = fileOf('{"id":1}\n{"id":2');
    const { exit, stdout, stderr } = await run(['report', path]);
    expect([exit, stdout.split('\n')[0]]).toEqual([
      0,
      'statement: 1 company, which discloses no emissions',
    ]);
    expect(stderr).toBe(
      `Warning: carbon skipped ${path}, line 2: the input ends in the middle of it.\n`,
    );
  });

  it('rejects an input without records', async () => {
    const { exit, stderr } = await run(['report', '-'], {
      stdin: '{"ok":false}\n{"ok":true,"skipped":true}\n',
    });
    expect(exit).toBe(2);
    expect(stderr).toContain(
      'No records in standard input: 1 failed item, 1 line without a record',
    );
  });
});

describe('carbon report of a list', () => {
  it('says with --sandbox that the records are those of a service', async () => {
    const service = await serveOrganizations(() => ({}));
    const list = newList('name\nAcme\n');
    const world = { env: service.env, home: list.folder };
    expect((await run(['sync', list.path], world)).exit).toBe(0);
    const { exit, stderr } = await run(['report', list.path, '--sandbox'], world);
    expect([exit, stderr]).toEqual([
      2,
      `Error: ${list.path} has no records of the sandbox\nHint: Leave out --sandbox for those of the service. For the sandbox: \`carbon sync ${list.path} --sandbox\`\n`,
    ]);
  });

  it('names the lines to correct, and the command, for companies without a match', async () => {
    const service = await serveOrganizations((name) => ({
      performances: [],
      matching_organization: name === 'Acme' ? { id: 9, name } : null,
    }));
    const rows = ['Acme', 'Globex', 'Globex', 'Initech', 'Hooli', 'Globex', 'Globex', 'Umbrella'];
    const list = newList(`name\n${rows.join('\n')}\n`);
    const world = { env: service.env, home: list.folder };
    expect((await run(['sync', list.path], world)).exit).toBe(0);
    const { stdout } = await run(['report', list.path, '--json'], world);
    const { ask } = JSON.parse(stdout);
    expect(ask[0]).toMatchObject({
      why: 'unmatched',
      organizations: 4,
      next_step: `fill a new column Website for all their rows in suppliers.csv, then run carbon sync ${list.path} --map website=Website`,
      first: [
        { name: 'Globex', lines: [3, 4, 7, 8] },
        { name: 'Initech', lines: [5] },
        { name: 'Hooli', lines: [6] },
      ],
    });
    const full = await run(['report', list.path, '--full'], world);
    expect(full.stdout).toContain(
      'Globex (lines 3, 4, 7 and 1 more line), Initech (line 5), Hooli (line 6) and 1 more',
    );
  });

  it('corrects the sheets that it read, each with its own command', async () => {
    const service = await serveOrganizations(() => ({
      performances: [],
      matching_organization: null,
    }));
    const home = newFolder();
    const world = { env: service.env, home };
    const names = ['EU', 'US', 'Rest of Asia', 'Africa', 'Oceania'];
    const sheets = names.map((name) => [name, [['name'], [`Firm ${name}`]]] as const);
    const path = join(home, 'suppliers.xlsx');
    writeFileSync(path, await book(Object.fromEntries(sheets)));
    const stepOf = async (...words: string[]) => {
      const { stdout } = await run(['report', path, '--json', ...words], world);
      return JSON.parse(stdout).ask[0].next_step;
    };
    const sync = (sheet: string) => run(['sync', path, '--sheet', sheet], world);
    await sync('US');
    expect(await stepOf()).toContain(`then run carbon sync ${path}`);
    await sync('EU');
    expect(await stepOf('--sheet', 'EU')).toContain(`then run carbon sync ${path} --sheet EU`);
    expect(await stepOf('--sheet', 'US')).toContain(`then run carbon sync ${path} --sheet US`);
    const all = `carbon sync ${path} --sheet EU --map website=Website, then carbon sync ${path} --sheet US --map website=Website`;
    expect(await stepOf()).toContain(`then run ${all}`);
    for (const name of names.slice(2)) await sync(name);
    expect(await stepOf()).toContain(
      `then run ${all.replace(' then', '')}, carbon sync ${path} --sheet "Rest of Asia" --map website=Website, and the same for 2 more sheets`,
    );
  });

  it('replaces a company without a match by the one that its step registers', async () => {
    const service = await serveOrganizations((name) => ({
      performances: [],
      matching_organization: name === 'Globex' ? null : { id: 9, name },
      industry: {
        name: 'Retail',
        performances: [{ year: 2025, emission_factor: 2, revenue_currency: 'EUR' }],
      },
    }));
    const spend = ['Globex,10,EUR,2024', 'Globex,20,EUR,2025', 'Acme,5,EUR,2025'];
    const list = newList(`name,Spend,Currency,Year\n${spend.join('\n')}\n`);
    const world = { env: service.env, home: list.folder };
    expect((await run(['sync', list.path], world)).exit).toBe(0);
    const askOf = async () => {
      const { stdout } = await run(['report', list.path, '--json'], world);
      const { ask, organizations } = JSON.parse(stdout);
      return {
        unmatched: ask.find(({ why }: { why: string }) => why === 'unmatched'),
        organizations,
      };
    };
    const { unmatched } = await askOf();
    expect(unmatched.first).toMatchObject([{ lines: [2, 3] }]);
    const footprint = await run(['footprint', list.path, '--year', '2025', '--json'], world);
    const { summary } = JSON.parse(footprint.stdout.trim().split('\n').at(-1) ?? '');
    const isUnmatched = ({ reasons }: { reasons: string[] }) => reasons.join() === 'unmatched';
    expect(summary.on_averages.ask.filter(isUnmatched)).toMatchObject([
      { next_step: unmatched.next_step, largest: [{ supplier: 'Globex', lines: [2, 3] }] },
    ]);
    const corrected = spend.map((row) => `${row},${row.startsWith('Globex') ? 'globex.com' : ''}`);
    writeFileSync(list.path, `name,Spend,Currency,Year,Website\n${corrected.join('\n')}\n`);
    expect((await run(['sync', list.path, '--map', 'website=Website'], world)).exit).toBe(0);
    expect(await askOf()).toMatchObject({ organizations: 2 });
  });
});

describe('carbon report -o', () => {
  it('writes a page, and replaces it with --overwrite', async () => {
    const folder = newFolder();
    const out = join(folder, 'report.html');
    writeFileSync(out, 'an earlier page');
    const outcome = await run(['report', '-', '-o', out, '--overwrite'], { stdin: ndjson });
    expect(outcome).toEqual({ exit: 0, stdout: '', stderr: `Wrote ${out} (2 companies)\n` });
    const page = readFileSync(out, 'utf8');
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toContain('<h1>2 companies, all of them disclose emissions</h1>');
    expect(page).toContain('Report on standard input · 2 companies');
    expect(page).toMatch(/[Rr]ecords retrieved 2 Jan to 3 Jan 2026<\/p><p>.*written \d+ \w+ \d{4}/);
    expect(page).not.toMatch(/class="(?:is-)?synthetic"/);
    expect(readdirSync(folder)).toEqual(['report.html']);
    expect(statSync(out).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it('has the sentences of the screen in --json, which say what nobody may quote', async () => {
    const words = ['register', '--sandbox', '--name', 'Acme AG', '--wait', '--json'];
    const { stdout } = await run(words, { clock: new VirtualClock() });
    const report = await run(['report', '-', '--json'], { stdin: stdout });
    const limit = 'How sure: Do not quote it: synthetic data, and the unit is unknown';
    expect(JSON.parse(report.stdout).answers).toContain(limit);
    const folder = newFolder();
    const [list, records] = [join(folder, 'spend.csv'), join(folder, 'records.ndjson')];
    writeFileSync(list, 'name,spend,currency,year\nAcme AG,100,EUR,2025\n');
    writeFileSync(records, stdout);
    const spend = ['footprint', list, '--records', records, '--upstream-factor', 'additive'];
    const { summary } = jsonLines((await run([...spend, '--json'])).stdout).at(-1) ?? {};
    expect(summary.answers.join('\n')).toMatch(/^First steps: /m);
  });

  it('prints nothing with --no-progress, and marks synthetic data', async () => {
    const out = join(newFolder(), 'report.html');
    const ofSandbox = await run(['register', '--sandbox', '--name', 'Acme AG', '--json']);
    const mixed = fileOf(`${ndjson}{"id":9}\n${ofSandbox.stdout.replace('"id":1,', '"id":4,')}`);
    const quiet = await run(['report', mixed, '-o', out, '--no-progress']);
    expect(quiet).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect(readFileSync(out, 'utf8')).toContain('Synthetic sandbox data of 1 company');
  });

  it('takes failed research for neither synthetic nor real', async () => {
    const ofSandbox = await run(['register', '--sandbox', '--name', 'Acme AG', '--json']);
    const failed = { id: 9, status: 'errored', score: null, industry: null, performances: [] };
    const { stdout } = await run(['report', '-'], {
      stdin: `${ofSandbox.stdout}${JSON.stringify(failed)}\n`,
    });
    expect(stdout).toContain('note: Synthetic sandbox data, not real research\n');
  });

  it('labels the emissions with the declared unit', async () => {
    const out = join(newFolder(), 'report.html');
    const path = fileOf(
      '{"id":1,"performances":[{"year":2024,"emissions":{"scope_1_and_2":{"total":7}}}]}',
    );
    await run(['report', path, '-o', out, '--unit', 't']);
    expect(readFileSync(out, 'utf8')).toContain('>7 t<');
    const { stdout } = await run(['report', path, '--unit', 't', '--json']);
    expect(JSON.parse(stdout).emissions.unit).toBe('t');
    expect((await run(['report', path, '--unit', 'lb'])).exit).toBe(2);
  });
});
