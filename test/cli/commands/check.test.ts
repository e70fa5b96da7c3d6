import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run, transcript } from '../../support/run.ts';

const sources = [{ url: 'https://example.com' }];
const acme = {
  id: 1,
  name: 'Acme AG',
  sources,
  matching_organization: { id: 7, name: 'Acme' },
  performances: [
    {
      year: 2025,
      revenue: 1,
      revenue_currency: 'EUR',
      emission_factor: 500,
      emissions: { total: 500 },
    },
  ],
  industry: { performances: [{ year: 2025, emission_factor: 0.5 }] },
};
const globex = { id: 2, name: '=Globex', score: 48, matching_organization: { id: 7 } };
const fine = { id: 3, name: 'Initech', sources, performances: [{ year: 1970 }] };

function newFiles(files: Readonly<Record<string, string | readonly object[]>>) {
  const folder = newFolder();
  const paths = Object.entries(files).map(([name, content]) => {
    const path = join(folder, name);
    const text =
      typeof content === 'string'
        ? content
        : content.map((record) => `${JSON.stringify(record)}\n`).join('');
    writeFileSync(path, text);
    return path;
  });
  return { folder, paths };
}

describe('carbon check', () => {
  it('lists what cannot be right, and exits with 10', async () => {
    const { paths } = newFiles({ 'records.ndjson': [acme, globex, fine] });
    expect(await transcript(['check', ...paths])).toMatchInlineSnapshot(`
      "1	Acme AG	match_shared	error	7			matched organization 7 also stands behind 2
      2	=Globex	match_shared	error	7			matched organization 7 also stands behind 1
      1	Acme AG	benchmark	warning	1000	10	2025	factor 500, industry average 0.5 (2025)
      2	=Globex	percent_score	error	48	1		score is not from 0 to 1
      3	Initech	old	notice	1970	2024	1970	the latest figures are those of 1970
      --- stderr
      3 organizations: 3 errors, 1 warning, 1 notice. Without the list, carbon cannot compare names.
      --- exit 10"
    `);
    expect(
      await transcript(['check', ...paths], { terminal: 80, env: { NO_COLOR: '1' } }),
    ).toMatchInlineSnapshot(`
      "ID  Name     Finding        Year  What the record says
      ──  ───────  ─────────────  ────  ───────────────────────────────────────────
       1  Acme AG  match_shared         matched organization 7 also stands behind 2
       2  =Globex  match_shared         matched organization 7 also stands behind 1
       2  =Globex  percent_score        score is not from 0 to 1
       1  Acme AG  benchmark      2025  factor 500, industry average 0.5 (2025)
       3  Initech  old            1970  the latest figures are those of 1970
      --- stderr
      3 organizations: 3 errors, 1 warning, 1 notice. Without the list, carbon cannot compare names.
      --- exit 10"
    `);
  });

  it('exits with 0 if only notices remain', async () => {
    const { paths } = newFiles({ 'records.ndjson': [{ id: 3, industry_confidence: 'low' }] });
    expect((await run(['check', ...paths])).exit).toBe(0);
  });

  it('leaves out what --accept lists, and reports what has lapsed', async () => {
    const { folder, paths } = newFiles({ 'records.ndjson': [acme, globex] });
    const decisions = join(folder, 'decisions.csv');
    const { stdout } = await run(['check', ...paths, '--csv']);
    writeFileSync(decisions, stdout);
    const args = ['check', ...paths, '--accept', decisions];
    const accepted = await run(args);
    expect(accepted).toMatchObject({ exit: 0, stdout: '' });
    expect(accepted.stderr).toContain(
      '2 organizations: 0 errors, 0 warnings, 0 notices, 4 accepted',
    );

    writeFileSync(
      decisions,
      'ID;Rule;Until;By;Value\n1;benchmark;2000-01-01;me;\n2;percent_score;;me;47\n2;typo;;;\n9;jump;;;\n',
    );
    const lapsed = await run(args);
    expect(lapsed.exit).toBe(10);
    expect(lapsed.stderr.replaceAll(folder, '.')).toMatchInlineSnapshot(`
      "Warning: ./decisions.csv, line 2: benchmark of 1 was accepted until 2000-01-01
      Warning: ./decisions.csv, line 3: percent_score of 2 was accepted with the value 47, which is now 48
      Warning: ./decisions.csv, line 4: there is no rule "typo"
      Warning: ./decisions.csv, line 5: jump of 9 is not a finding any more; you can remove the line
      2 organizations: 3 errors, 1 warning, 0 notices. Without the list, carbon cannot compare names.
      "
    `);
  });

  it('reports a bad decisions file with its line and column', async () => {
    const { paths } = newFiles({ 'records.ndjson': [acme] });
    const bad = (text: string) => {
      const { paths: files } = newFiles({ 'decisions.csv': text });
      return run(['check', ...paths, '--accept', ...files]);
    };
    expect(await bad('id,severity\n1,error\n')).toMatchObject({ exit: 2 });
    const { exit, stderr } = await bad('id,rule,until\n1,jump,tomorrow\n');
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('decisions.csv, line 2: until "tomorrow" is not a date'),
    ]);
  });

  it('finds a match that changed since earlier records', async () => {
    const { paths } = newFiles({
      'now.ndjson': [{ id: 1, matching_organization: { id: 8, name: 'Acme Holding' } }],
      'before.ndjson': [{ id: 1, matching_organization: { id: 7, name: 'Acme' } }],
    });
    const [now = '', before = ''] = paths;
    const { stdout } = await run(['check', now, '--previous', before, '--json']);
    expect(JSON.parse(stdout)).toEqual({
      id: 1,
      name: null,
      rule: 'match_changed',
      severity: 'warning',
      value: 8,
      limit: 7,
      year: null,
      evidence: 'matched to Acme Holding, before to Acme',
    });
  });

  it('prints the ids of organizations with findings, and writes a file', async () => {
    const { folder, paths } = newFiles({ 'records.ndjson': [acme, globex, { id: 4 }] });
    expect((await run(['check', ...paths, '-q'])).stdout).toBe('1\n2\n');
    const out = join(folder, 'findings.csv');
    expect(await run(['check', ...paths, '-o', out])).toMatchObject({ exit: 10, stdout: '' });
    expect(readFileSync(out, 'utf8')).toContain("'=Globex");
    const workbook = join(folder, 'findings.xlsx');
    await run(['check', ...paths, '-o', workbook]);
    expect(existsSync(workbook)).toBe(true);
  });
});
