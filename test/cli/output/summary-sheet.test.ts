import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { columnName } from '../../../src/lists/workbook/cells.ts';
import { book } from '../../lists/table/book.ts';
import { partOf, readBook, readCells } from '../../lists/workbook/read.ts';
import { newList, serveOrganizations } from '../../promises/scene.ts';
import { newFolder, run } from '../../support/run.ts';

async function numberOf(path: string, sheet: string): Promise<number> {
  const names = [...(await partOf(path, 'xl/workbook.xml')).matchAll(/<sheet name="(.*?)"/g)];
  return names.findIndex(([, name]) => name === sheet) + 1;
}

/* Registers a list with one row that has no name. */
async function results(...words: readonly string[]) {
  const service = await serveOrganizations();
  const { path, folder } = newList('Name,Land,Note\nAcme,DE,a\nGlobex,FR,\n,FR,lost\n');
  const out = join(folder, 'results.xlsx');
  const world = { env: service.env, home: folder };
  await run(['sync', path, '--invalid', 'skip', '-o', out, ...words], world);
  return { out, folder, world };
}

describe('the workbook of carbon sync -o', () => {
  it('begins with a summary, what became of the rows, and ends with the columns', async () => {
    const { out } = await results();
    expect(await readCells(out, { sheet: 'Summary' })).toEqual([
      ['2 organizations: 2 with emissions'],
      [
        expect.stringMatching(
          /^Results of suppliers\.csv · Records retrieved on \d+ [A-Z][a-z]{2} \d{4} · Written .* UTC by carbon \d/,
        ),
      ],
      ['3 rows: 2 synced, 1 invalid'],
      ['1 row needs your attention'],
      ['Rows that need your attention'],
      ['Line 4', 'invalid: Name is missing: an organization needs a name. Correct the cell'],
      ['Notes'],
      ['List', 'suppliers.csv'],
      ['Data', 'Sheet "Results": your own columns as they are, then those of carbon'],
      ['Unit of emissions', 'Unknown: the service documents none'],
      [
        'Empty cells',
        'In a column of carbon, an empty cell means unknown, not zero: the service has no value. Exceptions: “carbon_id” (the row is not registered); “carbon_reason” (there is nothing to explain); “carbon_checks” (the record breaks no rule).',
      ],
    ]);
    const columns = await readCells(out, { sheet: 'Columns' });
    expect(columns.slice(0, 4)).toEqual([
      ['Column', 'Meaning'],
      ['carbon_id', expect.any(String)],
      ['carbon_status', expect.any(String)],
      ['carbon_reason', expect.any(String)],
    ]);
  });

  it('says what to do about organizations without emissions, each once', async () => {
    const none = { performances: [] };
    const match = { matching_organization: { id: 7, name: 'Globex', hq_region: 'DE' } };
    const { env } = await serveOrganizations((name) => {
      return name === 'Lost' ? none : name === 'Globex' ? { ...none, ...match } : match;
    });
    const { path, folder } = newList('Name\nLost\nLost\nGlobex\nAcme\n');
    const files = ['out.xlsx', 'batch.xlsx', 'out.csv'].map((name) => join(folder, name));
    const [out = '', batched = '', csv = ''] = files;
    const world = { env, home: folder };
    for (const file of [out, csv]) await run(['sync', path, '-o', file], world);
    await run(['batch', path, '-o', batched], world);
    const summary = await readCells(out, { sheet: 'Summary' });
    const step =
      'fill a new column Website for this row, then run carbon sync suppliers.csv --map website=Website';
    const ask = 'discloses no emissions: ask for scopes 1 to 3';
    expect(summary[0]).toEqual(['3 organizations in 4 rows: 1 with emissions, 2 without']);
    expect(summary).toContainEqual(['3 rows need your attention']);
    expect(summary).toContainEqual(['4 rows: 2 not matched, 2 synced']);
    expect(summary).toContainEqual(['Lines 2 and 3', `Lost: not matched: ${step}`]);
    expect(summary).toContainEqual(['Line 4', `Globex: ${ask}`]);
    const [head = [], ...cells] = await readCells(out, { sheet: 'Results' });
    const at = head.indexOf('carbon_reason');
    expect(cells.map((row) => row[at] ?? '')).toEqual([step, step, ask, '']);
    expect(cells.map((row) => row[at - 1])).toEqual([
      ...['not matched', 'not matched', 'synced', 'synced'],
    ]);
    expect(await readCells(batched, { sheet: 'Summary' })).toContainEqual([
      'Empty cells',
      'What an empty cell means: “carbon_id” (the row is not registered); “carbon_reason” (there is nothing to explain).',
    ]);
    expect((await readCells(batched, { sheet: 'Summary' }))[0]).toEqual([
      '4 rows: 4 registered as 3 organizations',
    ]);
    // A program takes any reason for a failure.
    expect(readFileSync(csv, 'utf8')).not.toContain('ask for');
    const { stdout } = await run(['batch', path, '--status'], world);
    expect(stdout).toContain('suppliers.csv: 4 rows, registered as 3 organizations\n');
  });

  it('says that the unit of emissions is unknown where it has emissions', async () => {
    const folder = newFolder();
    const list = join(folder, 'list.csv');
    writeFileSync(list, 'Name,Land\nAcme Steel SE,DE\nGlobex AG,DE\nInitech GmbH,DE\n');
    const out = join(folder, 'results.xlsx');
    await run(['sync', list, '--sandbox', '-o', out], { home: folder });
    const summary = await readCells(out, { sheet: 'Summary' });
    expect(summary).toContainEqual(['Unit of emissions', 'Unknown: the service documents none']);
    expect(summary[2]).toEqual(['Do not quote it: synthetic data']);
    const said = summary.flat().filter((text) => text.includes('run carbon sync'));
    for (const text of said) expect(text).toContain('carbon sync list.csv --sandbox');
  });

  it('has no column that is empty or equal in every row, and says so', async () => {
    const { out } = await results();
    const [header = []] = await readCells(out, { sheet: 'Results' });
    expect(header.slice(0, 6)).toEqual([
      ...['Name', 'Land', 'Note', 'carbon_id', 'carbon_status', 'carbon_reason'],
    ]);
    // Nobody matched the organizations of this service, and the third row has no record.
    expect(header).not.toContain('carbon_name');
    expect(header).toContain('carbon_scope_1');
    const columns = await readCells(out, { sheet: 'Columns' });
    expect(columns).toContainEqual(['carbon_name (left out)', expect.stringMatching(/^Empty in/)]);
  });

  it('freezes header and name, and prints landscape, legible, with name and header on each page', async () => {
    const { out } = await results();
    const xml = await partOf(out, 'xl/worksheets/sheet2.xml');
    expect(xml).toContain('<pane xSplit="1" ySplit="1" topLeftCell="B2"');
    expect(xml).toContain('<pageSetUpPr fitToPage="1"/>');
    expect(xml).toContain('<pageSetup orientation="landscape" fitToWidth="2" fitToHeight="0"/>');
    const names = await partOf(out, 'xl/workbook.xml');
    expect(names).toContain(
      `<definedName name="_xlnm.Print_Titles" localSheetId="1">'Results'!$A:$A,'Results'!$1:$1<`,
    );
    const properties = await partOf(out, 'docProps/core.xml');
    expect(properties).toMatch(/<dc:title>Results of suppliers\.csv<.*<dc:creator>carbon \d/);
  });

  it('is read from the sheet of the data, which has a name of its own', async () => {
    const { out, folder, world } = await results();
    await expect(readBook(out)).resolves.toMatchObject({ name: 'Results' });
    const again = await run(['sync', out], world);
    expect(again).toMatchObject({ exit: 2 });
    expect(again.stderr).toContain('is a table of results that carbon wrote');
    const records = join(folder, 'records.xlsx');
    await run(['list', join(folder, 'suppliers.csv'), '-o', records], world);
    await expect(readBook(records)).resolves.toMatchObject({ name: 'Organizations' });
  });

  it('has sheets that are known as those of carbon, whatever a list of yours calls its columns', async () => {
    const folder = newFolder();
    const [records, out, own] = ['records.ndjson', 'list.xlsx', 'own.xlsx'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    writeFileSync(records, `${JSON.stringify({ id: 1, name: 'Acme', sources: [{ url: 'a' }] })}\n`);
    await run(['list', records, '-o', out]);
    const syncs = (path: string, sheet: string) =>
      run(['sync', path, '--sheet', sheet, '--dry-run', '--sandbox'], { home: folder });
    const { name, others } = await readBook(out);
    for (const sheet of [name, ...others.map((other) => other.name)])
      expect(await syncs(out, sheet)).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('is a table of results that carbon wrote'),
      });
    const header = ['ID', 'Company', 'Synthetic', 'Origin'];
    writeFileSync(own, await book({ Fibers: [header, ['7', 'Acme AG', 'yes', 'DE']] }));
    const { exit, stderr } = await syncs(own, 'Fibers');
    expect([exit, stderr]).toEqual([0, expect.stringContaining('Company → name')]);
  });

  it('prints the mark of synthetic data on every sheet, and shows no boolean', async () => {
    const folder = newFolder();
    const [records, out] = [join(folder, 'records.ndjson'), join(folder, 'list.xlsx')];
    const performances = [{ year: 2024, region: 'DE', revenue: 1 }];
    const record = { id: 1, name: 'Acme', sandbox: 'synthetic', performances, sources: [{}] };
    writeFileSync(records, `${JSON.stringify(record)}\n`);
    await run(['list', records, '-o', out]);
    const { name, others } = await readBook(out);
    const sheets = [name, ...others.map((other) => other.name)];
    expect(sheets.sort()).toEqual(['Columns', 'Organizations', 'Sources', 'Summary', 'Years']);
    for (const [index] of sheets.entries()) {
      const xml = await partOf(out, `xl/worksheets/sheet${index + 1}.xml`);
      expect(xml).toContain('<oddFooter>&amp;LSynthetic sandbox data&amp;R');
      expect(xml).not.toContain('t="b"');
    }
    const [header = [], row = []] = await readCells(out, { sheet: 'Organizations' });
    expect(row[header.indexOf('Synthetic')]).toBe('yes');
  });

  it('says which records are not matched, of another year, or without data', async () => {
    const folder = newFolder();
    const path = join(folder, 'records.ndjson');
    const made = { status: 'synced', sandbox: 'synthetic' };
    const matching_organization = { id: 7, name: 'Acme' };
    const of = (year: number) => {
      const scope_2 = { total_location_based: 5 };
      const emissions = { scope_1: { total: 10 }, scope_2, scope_3: { business_travel: 2 } };
      return [{ year, region: 'DE', emissions }];
    };
    const all = [
      { id: 1, name: 'Acme', ...made, matching_organization, performances: of(2025) },
      { id: 2, name: 'Bolt', ...made, matching_organization, performances: of(2025) },
      { id: 3, name: 'Corp', ...made, matching_organization, performances: of(2019) },
      { id: 4, name: 'Lost', ...made },
      { id: 5, name: 'Sunk', status: 'errored' },
    ];
    writeFileSync(path, all.map((record) => `${JSON.stringify(record)}\n`).join(''));
    for (const command of ['list', 'report']) {
      const out = join(folder, `${command}.xlsx`);
      await run([command, path, '-o', out]);
      const [head = [], ...rows] = await readCells(out, { sheet: 'Organizations' });
      const at = (header: string) => head.indexOf(header);
      const valuesOf = (header: string) =>
        Object.fromEntries(rows.map((row) => [row[at('Name')], row[at(header)] ?? '']));
      expect(valuesOf('Status')).toMatchObject({
        ...{ Acme: 'synced', Lost: 'not matched', Sunk: 'research failed' },
      });
      expect(valuesOf('Near-term target')).toMatchObject({ Lost: 'not matched', Sunk: '' });
      expect(valuesOf('Synthetic')).toMatchObject({ Acme: 'yes', Lost: 'yes', Sunk: 'no data' });
      expect(head[at('Scope 2') + 1]).toBe('Scope 2 method');
      const sheet = await partOf(
        out,
        `xl/worksheets/sheet${await numberOf(out, 'Organizations')}.xml`,
      );
      const style = await partOf(out, 'xl/styles.xml');
      const xfs = style.slice(style.indexOf('<cellXfs')).split('<xf ').slice(1);
      const colored = ['Year', 'Scope 1', 'Score'].map((header) => {
        const column = columnName(at(header));
        return rows.flatMap((row, index) => {
          const cell = new RegExp(`<c r="${column}${index + 2}" s="(\\d+)"`).exec(sheet);
          return xfs[Number(cell?.[1])]?.includes('fillId="3"') ? [row[at('Name')]] : [];
        });
      });
      expect(colored).toEqual([['Corp'], ['Corp'], []]);
      expect(await readCells(out, { sheet: 'Columns' })).toContainEqual([
        'Year',
        expect.stringContaining(' · in color: of 2019, not 2025 · '),
      ]);
    }
    const legend = await readCells(join(folder, 'list.xlsx'), { sheet: 'Columns' });
    const warned = legend.filter(([, meaning]) => meaning?.includes('do not add it up: '));
    expect(warned.map(([label]) => label)).toEqual(['Scope 3 (folded)', 'Total (folded)']);
    const csv = await run(['list', path, '--csv']);
    expect(csv.stdout).not.toMatch(/not matched|no data/);
  });

  it('says nothing of synthetic data where all of it is real', async () => {
    const folder = newFolder();
    const [path, out] = [join(folder, 'records.ndjson'), join(folder, 'list.xlsx')];
    const all = [
      { id: 1, name: 'Acme', score: 0.5 },
      { id: 2, name: 'Sunk', status: 'errored' },
    ];
    writeFileSync(path, all.map((record) => `${JSON.stringify(record)}\n`).join(''));
    await run(['list', path, '-o', out]);
    const [head = [], ...rows] = await readCells(out, { sheet: 'Organizations' });
    expect(rows.map((row) => row[head.indexOf('Synthetic')] ?? '')).toEqual(['', '']);
    const columns = await readCells(out, { sheet: 'Columns' });
    expect(columns.map(([label]) => label)).toContain('Synthetic (folded)');
  });

  it('names its summary otherwise if the sheet of the list is a Summary', async () => {
    const service = await serveOrganizations();
    const folder = newFolder();
    const path = join(folder, 'list.xlsx');
    writeFileSync(path, await book({ summary: [['Name'], ['Acme']] }));
    const out = join(folder, 'results.xlsx');
    await run(['batch', path, '-o', out], { env: service.env, home: folder });
    const { name, others } = await readBook(out);
    expect([name, ...others.map((other) => other.name)]).toEqual([
      ...['summary', 'Summary 2', 'Columns'],
    ]);
  });
});

const line = (day: string, record: { readonly id: number; readonly name?: string }) => {
  const retrieved_at = `2026-01-${day}T08:00:00Z`;
  return `${JSON.stringify({ ok: true, id: record.id, retrieved_at, record })}\n`;
};

describe('the workbook of carbon check -o', () => {
  it('begins with what it found, and of when the records are', async () => {
    const folder = newFolder();
    const [records, out] = [join(folder, 'records.ndjson'), join(folder, 'findings.xlsx')];
    const good = line('05', { id: 2 });
    writeFileSync(records, line('03', Object.assign({ score: 7 }, { id: 1 })) + good);
    await run(['check', records, '-o', out]);
    const summary = await readCells(out, { sheet: 'Summary' });
    expect(summary.slice(0, 11)).toEqual([
      ['1 of 2 records cannot be right (1 error)'],
      [
        expect.stringMatching(
          /^Findings in records\.ndjson · Records retrieved from 3 Jan to 5 Jan 2026 · Written /,
        ),
      ],
      ['Who', 'Errors: ID 1 (score above 1)'],
      [
        'How sure',
        'No total uses figures with an error. Names were not compared: --list reads the list that you registered.',
      ],
      ['First steps', 'Ask the service whether the score is a percentage: ID 1 (score above 1)'],
      ['Figures'],
      ['Records', '2'],
      ['With an error', '1'],
      ['Findings'],
      ['Score above 1 (error)', '1 record'],
      ['Notes'],
    ]);
    expect(summary).toContainEqual([
      'Empty cells',
      'An empty cell means that the service has no value. Exceptions: “Compared”, “Found”, “Expected” and “Year” (they do not apply to the finding).',
    ]);
  });

  it('says what to do about each finding, and explains its rule', async () => {
    const folder = newFolder();
    const records = join(folder, 'records.ndjson');
    const out = join(folder, 'findings.xlsx');
    writeFileSync(records, `${JSON.stringify({ id: 1, name: 'Acme', score: 7 })}\n`);
    expect(await run(['check', records, '-o', out])).toMatchObject({ exit: 10 });
    const [header = [], row = []] = await readCells(out);
    expect(row[header.indexOf('What to do')]).toBe(
      'Ask the service whether the score is a percentage',
    );
    // CSV has the same in a code.
    expect(header).not.toContain('Action');
    const rule = row[header.indexOf('Finding')];
    const columns = await readCells(out, { sheet: 'Columns' });
    expect(columns).toContainEqual([
      String(rule).replace(/^s/, 'S'),
      expect.stringContaining('(percent_score in CSV)'),
    ]);
  });

  it('tells to correct the row of an organization without a match', async () => {
    const folder = newFolder();
    const [records, list, out] = ['records.ndjson', 'list.csv', 'findings.xlsx'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    writeFileSync(list, 'carbon_id,name\n1,Acme\n');
    writeFileSync(records, `${JSON.stringify({ id: 1, name: 'Acme', status: 'synced' })}\n`);
    const stepsOf = async (...words: readonly string[]) => {
      await run(['check', records, '-o', out, '--overwrite', ...words]);
      const [header = [], ...rows] = await readCells(out);
      const [rule, step] = ['Finding', 'What to do'].map((name) => header.indexOf(name));
      return rows.flatMap((row) => (row[rule ?? 0] === 'no match' ? row[step ?? 0] : []));
    };
    expect(await stepsOf()).toEqual([
      'Fill a new column Website for all their rows, then run carbon sync --map website=Website',
    ]);
    expect(await stepsOf('--list', list)).toEqual([
      expect.stringMatching(
        /^Fill a new column Website for all their rows in list\.csv, then run carbon sync .*list\.csv --map website=Website$/,
      ),
    ]);
  });
});

describe('the workbook of carbon list -o', () => {
  it('begins with what the list has, what is missing and what to run next', async () => {
    const folder = newFolder();
    const [records, out] = [join(folder, 'records.ndjson'), join(folder, 'list.xlsx')];
    const emitting = (id: number, year: number) => {
      return line(
        '05',
        Object.assign({ id }, { performances: [{ year, emissions: { total: 1 } }] }),
      );
    };
    writeFileSync(records, [2025, 2025, 2019].map((year, at) => emitting(at + 1, year)).join(''));
    writeFileSync(records, line('05', { id: 4 }), { flag: 'a' });
    expect(await run(['list', records, '--unit', 't', '-o', out])).toMatchObject({ exit: 0 });
    expect((await readCells(out, { sheet: 'Summary' })).slice(0, 10)).toEqual([
      ['4 companies, 3 of them with emissions'],
      [
        expect.stringMatching(
          /^Organizations in records\.ndjson · Records retrieved on 5 Jan 2026 · Written /,
        ),
      ],
      ['Missing', '1 of 4 companies has no emissions (in research)'],
      ['How sure', 'Figures are of 2025, those of 1 company of 2019'],
      [
        'First steps',
        `1. See who matters most, and whom to ask: carbon report ${records} --unit t`,
      ],
      ['', `2. Check the figures before you quote them: carbon check ${records}`],
      ['Figures'],
      ['Companies', '4'],
      ['Of these with emissions', '3'],
      ['Notes'],
    ]);
    const [head] = await readCells(out, { sheet: 'Organizations' });
    expect(head).toContain('Total (t)');
    const [ofYears] = await readCells(out, { sheet: 'Years' });
    expect(ofYears).toContain('Total (t)');
  });

  it('says that nobody may quote synthetic figures, and that their unit is unknown', async () => {
    const folder = newFolder();
    const [records, out] = [join(folder, 'records.ndjson'), join(folder, 'list.xlsx')];
    const performances = [{ year: 2025, emissions: { total: 1 } }];
    const record = { id: 1, name: 'Acme', sandbox: 'synthetic', performances };
    writeFileSync(records, `${JSON.stringify(record)}\n`);
    const unknown = ['How sure', 'Unit of emissions unknown: the service documents none'];
    await run(['list', records, '-o', out]);
    const [, , ...said] = await readCells(out, { sheet: 'Summary' });
    expect(said.slice(0, 2)).toEqual([
      ['How sure', 'Do not quote it: synthetic data'],
      ['', unknown[1]],
    ]);
    expect(said.map(([label]) => label)).not.toContain('Unit of emissions');
    const [head] = await readCells(out, { sheet: 'Organizations' });
    expect(head).toContain('Total');
    await run(['list', records, '--unit', 't', '-o', out, '--overwrite']);
    const known = await readCells(out, { sheet: 'Summary' });
    expect(known).not.toContainEqual(unknown);
    expect(known).toContainEqual(['Unit of emissions', 't']);
  });
});

describe('the workbook of carbon diff -o', () => {
  it('begins with what moved, and of when the records are', async () => {
    const folder = newFolder();
    const [old, now] = [join(folder, 'old.ndjson'), join(folder, 'new.ndjson')];
    const out = join(folder, 'differences.xlsx');
    writeFileSync(old, line('03', { id: 1 }));
    writeFileSync(now, line('09', { id: 1 }) + line('08', { id: 2, name: 'Globex' }));
    expect(await run(['diff', old, now, '-o', out])).toMatchObject({
      exit: 10,
      stderr: expect.stringContaining(
        '1 company joined (1 → 2). Records retrieved 3 Jan to 9 Jan 2026.\n',
      ),
    });
    expect((await readCells(out, { sheet: 'Summary' })).slice(0, 10)).toEqual([
      ['1 company joined (1 → 2)'],
      [
        expect.stringMatching(
          /^Changes from old\.ndjson to new\.ndjson · Records retrieved from 3 Jan to 9 Jan 2026 · Written /,
        ),
      ],
      ['Who', 'Joined: Globex'],
      ['First steps', `1. Check the figures before you use them: carbon check ${now}`],
      ['', `2. See why emissions rose or fell, and whom to ask: carbon report ${now}`],
      ['Figures'],
      ['Companies before', '1'],
      ['Companies now', '2'],
      ['Joined', '1'],
      ['Changed', '0'],
    ]);
  });
});

describe('the companies of carbon diff -o', () => {
  it('stand before their differences: changed targets, then the largest changes', async () => {
    const folder = newFolder();
    const [old, now] = [join(folder, 'old.ndjson'), join(folder, 'new.ndjson')];
    const of = (id: number, target: string, years: Readonly<Record<number, number>>) => ({
      ...{ id, name: `Company ${id}` },
      sbti: { data: [{ near_term: { target_status: target } }] },
      performances: Object.entries(years).map(([year, total]) => ({
        year: Number(year),
        emissions: { scope_1: { total }, scope_2: { total: 0 } },
      })),
    });
    const before = [of(1, 'set', { 2024: 10 }), of(2, 'set', { 2024: 10 }), of(3, 'set', {})];
    const after = [
      of(1, 'set', { 2024: 10, 2025: 12 }),
      of(2, 'set', { 2024: 20 }),
      of(3, 'removed', {}),
    ];
    writeFileSync(old, before.map((each) => line('03', each)).join(''));
    writeFileSync(now, after.map((each) => line('09', each)).join(''));
    const out = join(folder, 'differences.xlsx');
    await run(['diff', old, now, '-o', out, '--unit', 't']);
    const [head = [], ...rows] = await readCells(out, { sheet: 'Companies' });
    expect(head.slice(1)).toEqual([
      ...['Company', 'Change', 'Target before', 'Target now', 'Year'],
      ...['Scope 1 + 2 to compare with (t)', 'Scope 1 + 2 of the year (t)', 'Difference (t)'],
      ...['Change of scope 1 + 2', 'Compared with', 'Changes'],
    ]);
    expect(rows.map((row) => row.slice(1, 11))).toEqual([
      ['Company 3', 'changed', 'target validated', 'target removed', '', '', '', '', '', ''],
      ['Company 2', 'changed', '', '', '2024', '10', '20', '10', '1', 'the same year, before'],
      ['Company 1', 'changed', '', '', '2025', '10', '12', '2', '0.2', 'the year before'],
    ]);
    expect(await readCells(out, { sheet: 'Columns' })).toContainEqual([
      'Old, New',
      'The value before and now; emissions are in t, scores from 0 to 100',
    ]);
    const [, first] = await readCells(out, { sheet: 'Differences' });
    expect(first?.slice(1, 4)).toEqual(['Company 3', 'changed', 'SBTi near-term target']);
    // Without another target, no column is about targets.
    const made = { sandbox: 'synthetic' };
    writeFileSync(old, line('03', { ...of(1, 'set', { 2024: 10 }), ...made }));
    writeFileSync(now, line('09', { ...of(1, 'set', { 2024: 11 }), ...made }));
    await run(['diff', old, now, '-o', out, '--overwrite']);
    const [headers = []] = await readCells(out, { sheet: 'Companies' });
    expect(headers).toContain('Synthetic');
    expect(headers).not.toContain('Target before');
    const legend = await readCells(out, { sheet: 'Columns' });
    expect(legend.map(([label]) => label)).not.toContain('Target before, Target now');
  });
});

describe('the workbook of carbon report -o', () => {
  const year = (scope1: number) => ({
    year: 2025,
    revenue_currency: 'EUR',
    emissions: { scope_1: { total: scope1 }, scope_2: { total: 100 } },
  });

  it('begins with the largest emitters, whatever the order of the records', async () => {
    const folder = newFolder();
    const [records, out] = [join(folder, 'records.ndjson'), join(folder, 'report.xlsx')];
    const companies = [1, 900, 300].map((scope1, at) => {
      return { id: at + 1, name: `Company ${scope1}`, performances: [year(scope1)] };
    });
    writeFileSync(records, companies.map((each) => `${JSON.stringify(each)}\n`).join(''));
    await run(['report', records, '-o', out]);
    const [head = [], ...rows] = await readCells(out, { sheet: 'Organizations' });
    const names = rows.map((row) => row[head.indexOf('Name')]);
    expect(names).toEqual(['Company 900', 'Company 300', 'Company 1']);
  });

  async function report(...words: readonly string[]) {
    const folder = newFolder();
    const [records, out] = [join(folder, 'records.ndjson'), join(folder, 'report.xlsx')];
    const companies = [
      { name: 'Acme', performances: [year(900.25)], sbti: { data: [] } },
      { name: 'Beta', performances: [year(300)] },
      { name: 'Gamma', performances: [year(1)] },
    ];
    const lines = companies.map((each, at) =>
      line('05', Object.assign({ id: at + 1, status: 'synced' }, each)),
    );
    writeFileSync(records, lines.join(''));
    expect(await run(['report', records, '-o', out, ...words])).toMatchObject({ exit: 0 });
    return out;
  }

  it('begins with the statements, dates and figures of the report, not with those of a list', async () => {
    const out = await report('--unit', 't');
    const summary = await readCells(out, { sheet: 'Summary' });
    expect(summary.slice(0, 11)).toEqual([
      ['2 of the 3 companies that disclose scope 1 and 2 for 2025 make up 93% of these emissions'],
      [
        expect.stringMatching(
          /^Climate report on \S+\.ndjson · Records retrieved on 5 Jan 2026 · Written /,
        ),
      ],
      [
        'How much',
        '1,501 t in 2025: scope 1 and 2 of all 3 companies, as a whole, not of what you buy from them',
      ],
      ['How sure', 'All 3 companies disclose scope 1 and 2'],
      [
        '',
        "The records don't tell which of these figures the companies reported and which are modeled",
      ],
      [
        '',
        "The unit is a setting (--unit t), because the records have none: compare one figure with the company's own report, such as 1,000 t of Acme in 2025",
      ],
      ['Figures'],
      ['Companies', '3'],
      ['Scope 1 + 2 of 2025, all 3 companies that disclose both', '1501.25'],
      ['Unit of emissions', 't'],
      ['How to read it'],
    ]);
    expect(await partOf(out, 'xl/styles.xml')).toContain('formatCode="#,##0&quot; t&quot;"');
  });

  it('has its short tables on one sheet, in words, with all digits and the unit in the header', async () => {
    const tables = await readCells(await report('--unit', 't'), { sheet: 'Tables' });
    const at = (title: string) => tables.findIndex((row) => row[0] === title);
    const [head, first] = tables.slice(at('Largest emitters') + 1);
    expect(head?.slice(0, 6)).toEqual([
      ...['Company', 'Scope 1 + 2 (t)', 'Share of the emissions', 'Share with those above'],
      ...['Year', 'Near-term target'],
    ]);
    expect(first?.slice(0, 6)).toEqual([
      ...['Acme', '1000.25', String(1000.25 / 1501.25), String(1000.25 / 1501.25), '2025'],
      'no target',
    ]);
    expect(tables.slice(at('Near-term targets'), at('Emissions as disclosed'))).toEqual([
      ['Near-term targets'],
      ['Target', 'Companies', 'Scope 1 + 2 (t)', 'Share of the emissions'],
      ['no target', '1', '1000.25', String(1000.25 / 1501.25)],
      ['target unknown', '2', '501', String(501 / 1501.25)],
    ]);
    expect(tables[at('Emissions as disclosed') + 1]?.slice(0, 4)).toEqual([
      ...['Year', 'Companies that disclose other years only'],
      ...['Scope 1 (t)', 'Companies that disclose scope 1'],
    ]);
  });

  it('marks years that few companies disclose, whose sums do not compare', async () => {
    const folder = newFolder();
    const [records, out] = [join(folder, 'records.ndjson'), join(folder, 'report.xlsx')];
    const companies = [1, 2, 3].map((id) => {
      const performances = [year(900), ...(id === 1 ? [{ ...year(900), year: 2024 }] : [])];
      return line('05', Object.assign({ id, status: 'synced' }, { performances }));
    });
    writeFileSync(records, companies.join(''));
    await run(['report', records, '-o', out]);
    const tables = await readCells(out, { sheet: 'Tables' });
    const sums = tables.slice(
      tables.findIndex(([title]) => title === 'Emissions as disclosed') + 1,
    );
    expect(sums.map((row) => row.slice(0, 2))).toEqual([
      ['Year', 'Partial year'],
      ['2025', ''],
      ['2024', 'partial: do not compare'],
    ]);
  });

  it('is a list of the organizations, as that of carbon list is', async () => {
    const out = await report();
    await expect(readBook(out)).resolves.toMatchObject({ name: 'Organizations' });
    const [head, first] = await readCells(out, { sheet: 'Organizations' });
    expect([head?.slice(0, 2), first?.slice(0, 2)]).toEqual([
      ['ID', 'Name'],
      ['1', 'Acme'],
    ]);
  });

  it('has the unit of emissions in the headers of every sheet, if it is known', async () => {
    for (const [words, scope1] of [
      [[], 'Scope 1'],
      [['--unit', 'kg'], 'Scope 1 (kg)'],
    ] as const) {
      const out = await report(...words);
      for (const sheet of ['Organizations', 'Years']) {
        const [head] = await readCells(out, { sheet });
        expect(head).toContain(scope1);
      }
    }
  });

  it('folds columns away that few need, and those that are empty or equal in every row', async () => {
    const out = await report();
    const columns = await partOf(out, 'xl/worksheets/sheet2.xml');
    const [head = []] = await readCells(out, { sheet: 'Organizations' });
    const folded = [...columns.matchAll(/<col min="(\d+)"[^>]* hidden="1" outlineLevel="1"/g)];
    const names = folded.map(([, at]) => head[Number(at) - 1]);
    // Equal in every row, empty in every row, and a detail.
    expect(names).toEqual(expect.arrayContaining(['Status', 'Website', 'Emissions scope 1 total']));
    expect(names).not.toContain('Scope 1');
    expect(names).not.toContain('Year');
    const summary = await readCells(out, { sheet: 'Summary' });
    const explained = await readCells(out, { sheet: 'Columns' });
    expect(explained).toContainEqual([
      'Status (folded)',
      expect.stringMatching(/^synced in every row\. /),
    ]);
    expect(explained).toContainEqual([
      'Website (folded)',
      expect.stringMatching(/^Empty in every/),
    ]);
    expect(summary).toContainEqual(['Folded columns', expect.stringMatching(/^Click \+/)]);
    const shown = head.filter((name) => !names.includes(name));
    expect(head.slice(0, shown.length)).toEqual(shown);
    expect(shown).toEqual([
      ...['ID', 'Name', 'Scope 1', 'Scope 1 and 2', 'Year', 'Near-term target'],
    ]);
    // What a folded column means is folded away, too.
    const legend = explained.findIndex(([name = '']) => name.endsWith('(folded)'));
    const rows = await partOf(out, `xl/worksheets/sheet${await numberOf(out, 'Columns')}.xml`);
    const hidden = [...rows.matchAll(/<row r="(\d+)"[^>]* hidden="1" outlineLevel="1"/g)];
    expect(hidden.map(([, at]) => Number(at))).toEqual(
      explained.slice(legend).map((_, index) => legend + index + 1),
    );
  });
});

describe('the summary of a report', () => {
  it('counts what carbon check finds, and says what every row of a further sheet has', async () => {
    const records = join(newFolder(), 'records.ndjson');
    const years = [2023, 2024].map((year) => ({ year, region: 'DE', revenue: -year }));
    writeFileSync(records, `${JSON.stringify({ id: 1, name: 'Acme', performances: years })}\n`);
    const out = join(newFolder(), 'report.xlsx');
    await run(['report', records, '-o', out]);
    const summary = await readCells(out, { sheet: 'Summary' });
    expect(summary).toContainEqual([
      expect.stringMatching(
        /^Figures of 1 company may be wrong \(Acme: .+\): run carbon check .*records\.ndjson$/,
      ),
    ]);
    const columns = await readCells(out, { sheet: 'Columns' });
    expect(columns).toContainEqual(['Years: Region (folded)', 'DE in every row']);
  });
});

describe('codes', () => {
  it('are words in a workbook of records, and codes in CSV', async () => {
    const folder = newFolder();
    const records = join(folder, 'records.ndjson');
    const sbti = { data: [{ near_term: { has_target: true, target_status: 'Targets Set' } }] };
    writeFileSync(records, line('05', Object.assign({ sbti }, { id: 1 })));
    const out = join(folder, 'list.xlsx');
    const words = ['list', records, '--columns', 'sbti_near_term'];
    await run([...words, '-o', out]);
    const [, row] = await readCells(out, { sheet: 'Organizations' });
    expect(row?.[0]).toBe('target validated');
    expect((await run([...words, '--csv'])).stdout).toContain('\nset');
    writeFileSync(records, line('05', Object.assign({ status: 'errored' }, { id: 1 })));
    await run(['list', records, '--columns', 'status', '-o', out, '--overwrite']);
    expect((await readCells(out, { sheet: 'Organizations' }))[1]).toEqual(['research failed']);
  });

  it('are the same words in the results of a list', async () => {
    const folder = newFolder();
    const list = join(folder, 'list.csv');
    writeFileSync(list, 'Name,Land\nSandbox errored,DE\nAcme,DE\n');
    const out = join(folder, 'results.xlsx');
    await run(['sync', list, '--sandbox', '-o', out], { home: folder });
    const [head = [], first] = await readCells(out, { sheet: 'Results' });
    expect(first?.[head.indexOf('carbon_status')]).toBe('research failed');
    const summary = await readCells(out, { sheet: 'Summary' });
    expect(summary).toContainEqual(['2 rows: 1 research failed, 1 synced']);
    const csv = join(folder, 'results.csv');
    await run(['sync', list, '--sandbox', '-o', csv], { home: folder });
    expect(readFileSync(csv, 'utf8')).toContain(',errored,');
  });

  it('are the same words where a workbook compares records', async () => {
    const folder = newFolder();
    const [before, after] = [join(folder, 'a.ndjson'), join(folder, 'b.ndjson')];
    const of = (status: string, target: string, created_at: string) => ({
      ...{ id: 1, status, matching_organization: { id: 7 } },
      sbti: { data: [{ created_at, near_term: { has_target: true, target_status: target } }] },
    });
    writeFileSync(before, line('03', of('errored', 'Committed', '2023-04-05')));
    writeFileSync(after, line('05', of('synced', 'Targets Set', '2025-10-20')));
    const out = join(folder, 'diff.xlsx');
    await run(['diff', before, after, '-o', out]);
    const [head = [], ...rows] = await readCells(out, { sheet: 'Differences' });
    const from = head.indexOf('Field');
    expect(
      rows.map((row) => [row[from], row[head.indexOf('Old')], row[head.indexOf('New')]]),
    ).toEqual([
      ['Status', 'research failed', 'synced'],
      ['SBTi near-term target', 'committed', 'target validated'],
      ['Date of the SBTi target', '5 Apr 2023', '20 Oct 2025'],
    ]);
    expect((await run(['diff', before, after, '--csv'])).stdout).toContain(
      'sbti_near_term_target_status,,,committed,set',
    );
  });
});

async function cellsOfSheet(path: string, wanted: string): Promise<readonly string[]> {
  const { name, others } = await readBook(path);
  expect([name, ...others.map((other) => other.name)]).toContain(wanted);
  return (await partOf(path, 'xl/worksheets/sheet3.xml')).split('<c ');
}

describe('a value before and after', () => {
  it('has grouped digits if it is large, unless it may be a year, a score or an ID', async () => {
    const folder = newFolder();
    const [before, after] = [join(folder, 'a.ndjson'), join(folder, 'b.ndjson')];
    const of = (scope1: number, score: number) => ({
      ...{ id: 1, score, matching_organization: { id: scope1, name: 'Acme' } },
      performances: [{ year: 2025, emissions: { scope_1: { total: scope1 } } }],
    });
    writeFileSync(before, line('03', of(1_000_000, 0.5)));
    writeFileSync(after, line('05', of(2_000_000, 0.6)));
    const out = join(folder, 'diff.xlsx');
    await run(['diff', before, after, '-o', out]);
    const [head = [], ...rows] = await readCells(out, { sheet: 'Differences' });
    const values = rows.map((row) => row[head.indexOf('New')]);
    expect(values).toEqual(expect.arrayContaining(['2000000', '60']));
    const id = await cellsOfSheet(out, 'Differences');
    expect(id).toContainEqual(expect.stringMatching(/ t="inlineStr"><is><t>2000000</));
    expect(id).toContainEqual(expect.stringMatching(/ s="\d+"><v>2000000</));
    const styles = await partOf(out, 'xl/styles.xml');
    expect(styles).toContain('formatCode="#,##0"');
    // LibreOffice shows no minus before a number that meets no condition of its format.
    expect(styles).not.toMatch(/formatCode="[^"]*\[/);
  });
});
