import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BatchFixture, type FixtureOptions } from '../batch/batch-fixture.ts';

const table = 'Company,Region,Location\nAcme,Europe,Germany\nBeta,Asia,Japan\nGamma,Asia,India\n';

/* Keeps Region as the country, which a first run would not choose. */
const journalOfRegion = [
  '{"carbon":"journal","version":1,"keys":1,"service":"sandbox","profile":"sandbox","mapping":{"name":"Company","hq_region":"Region"}}',
  '{"key":"1ca5974c1a60c97b4451d1f50bf5a69a","id":                  1,"line":2,"status":"created","at":"2026-11-22T01:39:39.455Z"}',
  '{"key":"31bf9a6963288f17b6d6ea54c2203159","id":                  2,"line":3,"status":"created","at":"2026-11-22T01:39:39.468Z"}',
  '{"key":"a09eb5cfb77ed440197aa011f2414271","id":                  3,"line":4,"status":"created","at":"2026-11-22T01:39:39.481Z"}',
  '',
].join('\n');
const sandbox = { service: 'sandbox', profile: 'sandbox', sandbox: true };

/* Runs a batch of the first table, then writes the second one. */
async function changed(before: string, after: string, choices: FixtureOptions = {}) {
  const fixture = new BatchFixture(before);
  await fixture.run(choices);
  fixture.write(after);
  return fixture;
}

describe('batch with the columns of a journal', () => {
  it('keeps other columns than it would choose and sends no row twice', async () => {
    const fixture = new BatchFixture(table);
    writeFileSync(`${fixture.path}.sandbox.carbon.jsonl`, journalOfRegion);
    const { sent, outcome } = await fixture.run(sandbox);
    expect([sent, outcome.counts.skipped]).toEqual([[], 3]);
    appendFileSync(fixture.path, 'Delta,Africa,Kenya\n');
    expect((await fixture.run(sandbox)).sent).toEqual([{ name: 'Delta', hq_fuzzy: 'Africa' }]);
  });

  it('records the columns of --map for later runs', async () => {
    const fixture = new BatchFixture(table);
    writeFileSync(`${fixture.path}.sandbox.carbon.jsonl`, journalOfRegion);
    const first = await fixture.run({ ...sandbox, map: ['hq_region=Location'] });
    expect(first.sent).toHaveLength(3);
    expect((await fixture.run(sandbox)).sent).toEqual([]);
    expect(readFileSync(first.journal, 'utf8').startsWith(journalOfRegion)).toBe(true);
  });

  it('does not use a column that is added later, and reports it', async () => {
    const fixture = await changed(
      'Security,Place\nAcme,DE\n',
      'Security,Place,Website\nAcme,DE,acme.com\nBeta,FR,beta.fr\n',
      { map: ['name=Security', 'hq_region=Place'] },
    );
    const batch = await fixture.open();
    batch.close();
    expect(batch.table.mapping.unused).toEqual(['Website']);
    expect((await fixture.run()).sent).toEqual([{ name: 'Beta', hq_region: 'FR' }]);
    const other = await changed('name\nAcme\n', 'name,Website\nAcme,acme.com\n');
    const opened = await other.open();
    opened.close();
    expect(opened.added).toEqual([{ field: 'website', column: 'Website', index: 1 }]);
    expect(opened.preflight.counts.done).toBe(1);
  });

  it('needs a recorded currency column no longer', async () => {
    const fixture = await changed('name,currency\nAcme,EUR\n', 'name\nAcme\nBeta\n');
    expect((await fixture.run()).sent).toEqual([{ name: 'Beta' }]);
  });
});

describe('batch without a column of its journal', () => {
  const rows = 'Acme,DE\nBeta,FR\n';

  it.each([
    ['renamed', 'name,country', 'name,Land', ['--map hq_region=Land']],
    ['removed', 'name,country', 'name,Where', ['--map hq_region=<column>']],
    ['repeated', 'name,Place', 'name,Place,Place', ['--map hq_region=<column>']],
    ['ambiguous', 'name,Website', 'name,URL,Domain', ['--map website=<column>']],
    [
      'two renamed',
      'Supplier,Land',
      'Vendor,Country',
      ['--map name=Vendor', '--map hq_region=Country'],
    ],
  ])('sends nothing and proposes how to continue: %s', async (_, before, after, options) => {
    const map = before.includes('Place') ? { map: ['hq_region=Place'] } : {};
    const fixture = await changed(`${before}\n${rows}`, `${after}\n${rows}Gamma,IT\n`, map);
    const error = {
      name: 'UsageError',
      code: 'invalid_input',
      message: expect.stringMatching(
        /^The journal suppliers\.csv\.carbon\.jsonl uses columns that this file does not have, or has twice: "/,
      ),
      hint: expect.stringMatching(
        new RegExp(
          `^To continue, use ${options.join(' ')}, or .* To send every row again, use --restart\\.$`,
        ),
      ),
    };
    await expect(fixture.run()).rejects.toMatchObject(error);
    await expect(fixture.run({ dryRun: true })).rejects.toMatchObject(error);
    expect(fixture.api.bodies).toHaveLength(2);
  });

  it('recognizes the rows by the renamed column that --map names, in later runs, too', async () => {
    const fixture = await changed(`name,country\n${rows}`, `name,Where\n${rows}`);
    expect((await fixture.run({ map: ['hq_region=Where'] })).sent).toEqual([]);
    fixture.write(`name,Where\n${rows}Gamma,IT\n`);
    expect((await fixture.run()).sent).toEqual([{ name: 'Gamma', hq_region: 'IT' }]);
  });

  it('sends rows again when --map leaves the field out', async () => {
    const fixture = await changed(`name,country\n${rows}`, `name,Where\n${rows}`);
    const { sent } = await fixture.run({ map: ['hq_region='] });
    expect(sent).toEqual([{ name: 'Acme' }, { name: 'Beta' }]);
    expect((await fixture.run()).sent).toEqual([]);
  });
});
