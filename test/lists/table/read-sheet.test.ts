import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BatchFixture, CountingService } from '../batch/batch-fixture.ts';
import { workbook } from '../workbook/archives.ts';
import { book } from './book.ts';

const fixtureOf = (content: Buffer | string, name = 'suppliers.xlsx') =>
  new BatchFixture(content, new CountingService(), name);

const table = [
  ['Supplier', 'Country', 'Supplier ID', 'DUNS', 'Since'],
  ['Acme GmbH', 'DE', 1001, 1234567, new Date('2020-02-29')],
  [],
  ['Beta "B" SA', 'France', 'x-7', 804735132, undefined],
  ['Ğamma, Inc.', undefined, 1.5, undefined, true],
];
const csv =
  'Supplier,Country,Supplier ID,DUNS,Since\nAcme GmbH,DE,1001,1234567,2020-02-29\n,,,,\n"Beta ""B"" SA",France,x-7,804735132,\n"Ğamma, Inc.",,1.5,,TRUE\n';

describe('carbon batch for a workbook', () => {
  it('has the row keys of its CSV export, so that a journal serves both', async () => {
    const fixture = fixtureOf(await book({ Suppliers: table }));
    const { journal } = await fixture.run();
    const path = join(fixture.folder, 'export.csv');
    writeFileSync(path, csv);
    copyFileSync(journal, `${path}.carbon.jsonl`);
    const again = await fixture.run({ path, name: path });
    expect(again.outcome.counts).toMatchObject({ registered: 0, skipped: 3, invalid: 0 });
  });

  it('restores leading zeros of D-U-N-S numbers, and of no other number', async () => {
    const { sent, preflight } = await fixtureOf(await book({ Suppliers: table })).run();
    expect(sent[0]).toMatchObject({ external_id: '1001', duns_number: '001234567' });
    expect(sent[1]).toMatchObject({ duns_number: '804735132' });
    expect(preflight.findings).toMatchObject([{ kind: 'restored_duns', count: 1, lines: [2] }]);
    const texts = [
      ['Name', 'DUNS'],
      ['Acme', '1234567'],
    ];
    const asText = await fixtureOf(await book({ S: texts })).run();
    expect(asText.preflight.problems).toMatchObject([{ line: 2, field: 'duns_number' }]);
  });

  it('treats error cells as missing, with the row keys of the CSV export', async () => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const content = await workbook(
      `<row>${text('name')}${text('website')}</row><row>${text('Acme')}<c t="e"><v>#REF!</v></c></row>`,
    );
    const fixture = fixtureOf(content);
    const { sent, journal } = await fixture.run();
    expect(sent).toEqual([{ name: 'Acme' }]);
    const path = join(fixture.folder, 'export.csv');
    writeFileSync(path, 'name,website\nAcme,#REF!\n');
    copyFileSync(journal, `${path}.carbon.jsonl`);
    expect((await fixture.run({ path, name: path })).sent).toEqual([]);
  });

  it('stops when the workbook changes between two readings', async () => {
    const fixture = fixtureOf(await book({ Suppliers: table }));
    const batch = await fixture.open();
    fixture.write(await book({ Suppliers: [...table, ['New', 'DE']] }));
    const plans = async () => {
      for await (const _ of batch.plans());
    };
    await expect(plans()).rejects.toThrow('changed while it was being read');
    batch.close();
  });

  it('rejects --sheet for CSV and --encoding for a workbook', async () => {
    await expect(fixtureOf('name\nAcme\n', 'a.csv').run({ sheet: 'S' })).rejects.toThrow(
      'is not an .xlsx workbook, so it has no sheet "S"',
    );
    const fixture = fixtureOf(await book({ Suppliers: table }));
    await expect(fixture.run({ encoding: 'latin1' })).rejects.toThrow('no character encoding');
  });
});
