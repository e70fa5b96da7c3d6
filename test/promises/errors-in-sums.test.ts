/*
 * The promise that a figure which carbon check calls an error is in no sum and no headline, and is
 * named: here, in report and footprint, for each rule with such errors.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines, newFolder, run } from '../support/run.ts';
import { newList, serveOrganizations } from './scene.ts';

const right = { scope_1: { total: 70 }, scope_2: { total_market_based: 30 } };
const money = { revenue: 1_000, revenue_currency: 'EUR' };
const record = (id: number, name: string, performance: object, more: object = {}) => ({
  id,
  name,
  status: 'synced',
  matching_organization: { id: 100 + id, name },
  performances: [{ year: 2025, ...money, ...performance }],
  ...more,
});

/* What is wrong with the record of Wrong AG, whose scopes 1 and 2 are 5,000 otherwise. */
const scope_1 = { total: 4_000 };
const scope_2 = { total_market_based: 1_000 };
const both = { scope_1, scope_2 };
const errors: Readonly<Record<string, object>> = {
  unit: { emission_factor: 6_000, emissions: { ...both, scope_3: { total: 1_000 }, total: 6_000 } },
  sum_scope: { emissions: { ...both, scope_1: { total: 4_000, mobile_combustion: 9_000 } } },
  sum_total: { emissions: { ...both, total: 900 } },
  negative: { emissions: { ...both, scope_3: { business_travel: -1 } } },
  year: { year: 2150, emissions: both },
};

async function results(wrong: object) {
  const folder = newFolder();
  const [records, spend] = [join(folder, 'records.ndjson'), join(folder, 'spend.csv')];
  const all = [
    record(1, 'Acme AG', { emissions: right }),
    record(2, 'Globex SE', { emissions: right }),
    wrong,
  ];
  writeFileSync(records, all.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const rows = ['1,Acme AG', '2,Globex SE', '3,Wrong AG'].map((row) => `${row},1000,EUR,2025\n`);
  writeFileSync(spend, `id,name,spend,currency,year\n${rows.join('')}`);
  const method = ['--records', records, '--boundary', 'scope-1-2'];
  const json = async (...argv: readonly string[]) => {
    return jsonLines((await run([...argv, '--json'])).stdout).at(-1) ?? {};
  };
  return {
    findings: jsonLines((await run(['check', records, '--json'])).stdout),
    report: await json('report', records),
    footprint: (await json('footprint', spend, ...method))['summary'],
    screens: [
      (await run(['report', records], { terminal: 100 })).stdout,
      (await run(['footprint', spend, ...method], { terminal: 100 })).stdout,
    ],
  };
}

const left = expect.objectContaining({
  rule: 'errors',
  text: 'Left out: 1 company whose record cannot be right, Wrong AG (carbon check)',
});

describe('report and footprint', () => {
  it.each(Object.entries(errors))('leave out what %s finds, and name it', async (rule, wrong) => {
    const { findings, report, footprint, screens } = await results(record(3, 'Wrong AG', wrong));
    expect(findings).toEqual(
      expect.arrayContaining([expect.objectContaining({ rule, severity: 'error', id: 3 })]),
    );
    expect(report.emissions.both_scopes).toMatchObject({ organizations: 2, sum: 200 });
    expect(report.emissions.years.map(({ year }: { year: number }) => year)).toEqual([2025]);
    expect(report.largest_emitters).toHaveLength(2);
    expect(report.statements).toContainEqual(left);
    expect(footprint.emissions).toBe(200);
    expect(footprint.statements).toContainEqual(left);
    for (const screen of screens) {
      expect(screen).toMatch(/Left out: 1 company[\s\S]*Wrong AG \(carbon check\)/);
      expect(screen).not.toMatch(/5,?200/);
    }
  });

  it('use no figure of a year in which all emissions are 0 although revenue is not', async () => {
    const none = { scope_1: { total: 0 }, scope_2: { total_market_based: 0 } };
    const { report, footprint } = await results(record(3, 'Wrong AG', { emissions: none }));
    expect(report.emissions.both_scopes).toMatchObject({ organizations: 2, sum: 200 });
    expect(report.statements).toContainEqual(left);
    expect(footprint).toMatchObject({ emissions: 200, covered_suppliers: 2 });
    expect(footprint.statements).toContainEqual(left);
  });

  it('leave out a record that may be of another organization, and name it', async () => {
    const match = { matching_organization: { id: 101, name: 'Acme AG' } };
    const other = record(3, 'Wrong AG', { emissions: both }, match);
    const { report, footprint } = await results(other);
    expect(report.emissions.both_scopes).toMatchObject({ organizations: 2, sum: 200 });
    expect(report.statements).toContainEqual(left);
    expect(footprint.emissions).toBe(200);
    expect(footprint.statements).toContainEqual(left);
  });

  it('leave out a record of another company than the row of a synced list, and name it', async () => {
    // The service calls every organization as it was registered, and matched one of them wrongly.
    const service = await serveOrganizations((name) => ({
      matching_organization: { id: name.length, name: name === 'Wrong AG' ? 'Zeppelin' : name },
      performances: [{ year: 2025, ...money, emissions: name === 'Wrong AG' ? both : right }],
    }));
    const rows = ['Acme AG', 'Globex SE', 'Wrong AG'].map((name) => `${name},1000,EUR,2025\n`);
    const { path, folder } = newList(`name,spend,currency,year\n${rows.join('')}`);
    const world = { env: service.env, home: folder };
    await run(['sync', path, '--currency', 'EUR', '--yes'], world);
    const report = JSON.parse((await run(['report', path, '--json'], world)).stdout);
    expect(report.emissions.both_scopes).toMatchObject({ organizations: 2, sum: 200 });
    expect(report.statements).toContainEqual(left);
    expect(report.left_out.records).toMatchObject([
      { id: 3, rule: 'match_differs', evidence: 'Wrong AG was matched to Zeppelin' },
    ]);
    const argv = ['footprint', path, '--boundary', 'scope-1-2', '--json'];
    const footprint = jsonLines((await run(argv, world)).stdout).at(-1)?.summary;
    expect(footprint.emissions).toBe(200);
    expect(footprint.statements).toContainEqual(left);
    // Without a column of names, there is nothing to compare with.
    writeFileSync(path, 'spend\n1000\n');
    const { stdout, stderr } = await run(['report', path, '--json'], world);
    expect(JSON.parse(stdout).emissions.both_scopes).toMatchObject({ organizations: 3 });
    expect(stderr).toContain('did not compare names with the list');
  });
});
