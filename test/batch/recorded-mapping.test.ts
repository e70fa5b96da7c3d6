import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../src/api/errors.ts';
import { journalFile } from '../../src/batch/journal/paths.ts';
import { BatchFixture, CountingService } from './batch-fixture.ts';

const table = 'Company,Region,Location\nAcme,Europe,Germany\nBeta,Asia,Japan\nGamma,Asia,India\n';

/* Written by version 0.1 for the table above. It mapped Region to the country. */
const journalOfOldVersion = [
  '{"carbon":"journal","version":1,"keys":1,"service":"sandbox","profile":"sandbox","mapping":{"name":"Company","hq_region":"Region"}}',
  '{"key":"1ca5974c1a60c97b4451d1f50bf5a69a","id":                  1,"line":2,"status":"created","at":"2026-11-22T01:39:39.455Z"}',
  '{"key":"31bf9a6963288f17b6d6ea54c2203159","id":                  2,"line":3,"status":"created","at":"2026-11-22T01:39:39.468Z"}',
  '{"key":"a09eb5cfb77ed440197aa011f2414271","id":                  3,"line":4,"status":"created","at":"2026-11-22T01:39:39.481Z"}',
  '',
].join('\n');
const sandbox = { service: 'sandbox', profile: 'sandbox' };

describe('batch with the mapping of a journal', () => {
  it('keeps the mapping of an earlier version and sends no row twice', async () => {
    const fixture = new BatchFixture(table);
    writeFileSync(journalFile(fixture.path), journalOfOldVersion);
    const { sent, outcome } = await fixture.run(sandbox);
    expect([sent, outcome.counts.skipped]).toEqual([[], 3]);
    appendFileSync(fixture.path, 'Delta,Africa,Kenya\n');
    expect((await fixture.run(sandbox)).sent).toEqual([{ name: 'Delta', hq_fuzzy: 'Africa' }]);
    const batch = await fixture.open(sandbox);
    batch.close();
    expect(batch.chosen.kept).toEqual([
      { field: 'hq_region', journal: 'Region', now: 'Location', map: '--map hq_region=Location' },
    ]);
  });

  it('ignores the recorded mapping with --restart', async () => {
    const fixture = new BatchFixture(table);
    writeFileSync(journalFile(fixture.path), journalOfOldVersion);
    const { sent } = await fixture.run({ ...sandbox, restart: true });
    expect(sent.map(({ hq_region }) => hq_region)).toEqual(['DE', 'JP', 'IN']);
    expect((await fixture.run(sandbox)).sent).toEqual([]);
  });

  it('records the mapping of --map for later runs', async () => {
    const fixture = new BatchFixture(table);
    writeFileSync(journalFile(fixture.path), journalOfOldVersion);
    const { sent } = await fixture.run({ ...sandbox, map: ['hq_region=Location'] });
    expect(sent).toHaveLength(3);
    const batch = await fixture.open(sandbox);
    batch.close();
    expect([batch.chosen.kept, batch.chosen.replaced, batch.preflight.counts.done]).toEqual([
      [],
      [],
      3,
    ]);
    expect(readFileSync(batch.journal, 'utf8').startsWith(journalOfOldVersion)).toBe(true);
  });

  it('ignores a journal without registrations', async () => {
    const fixture = new BatchFixture(table);
    writeFileSync(journalFile(fixture.path), `${journalOfOldVersion.split('\n')[0]}\n`);
    expect((await fixture.run(sandbox)).sent[0]).toEqual({ name: 'Acme', hq_region: 'DE' });
    expect((await fixture.run(sandbox)).sent).toEqual([]);
  });

  it('ignores the mapping of a run without responses, and keeps that of the first run with one', async () => {
    let isDown = true;
    const service = new CountingService(() => {
      if (isDown) throw new UnavailableError('service_failed', 'down');
    });
    const fixture = new BatchFixture('Symbol,Company\nACM,Acme\nBET,Beta\n', service);
    expect((await fixture.run({ map: ['name=Symbol'] })).outcome.counts.registered).toBe(0);
    isDown = false;
    expect((await fixture.run()).sent.map(({ name }) => name)).toEqual(['Acme', 'Beta']);
    const { sent, journal } = await fixture.run();
    expect(sent).toEqual([]);
    const written = readFileSync(journal, 'utf8').split('"carbon":"mapping"');
    expect(written).toHaveLength(2);
  });

  it('keeps --map for runs without it, and does not use columns that are added later', async () => {
    const fixture = new BatchFixture('Security,Place\nAcme,DE\n');
    await fixture.run({ map: ['name=Security', 'hq_region=Place'] });
    expect((await fixture.run()).sent).toEqual([]);
    fixture.write('Security,Place,Website\nAcme,DE,acme.com\nBeta,FR,beta.fr\n');
    expect((await fixture.run()).sent).toEqual([{ name: 'Beta', hq_region: 'FR' }]);
  });

  it('recognizes the rows of a renamed column', async () => {
    const fixture = new BatchFixture('Supplier,Land\nAcme,DE\n');
    await fixture.run();
    fixture.write('Vendor,Country,LEI\nAcme,DE,\nBeta,FR,\n');
    expect((await fixture.run()).sent).toEqual([{ name: 'Beta', hq_region: 'FR' }]);
  });

  it('recognizes the rows of a file to which a header line was added', async () => {
    const fixture = new BatchFixture('Acme,DE\nBeta,FR\n');
    const first = await fixture.run({ header: false, map: ['name=1', 'hq_region=2'] });
    expect(first.sent).toEqual([
      { name: 'Acme', hq_region: 'DE' },
      { name: 'Beta', hq_region: 'FR' },
    ]);
    expect((await fixture.run({ header: false })).sent).toEqual([]);
    fixture.write('name,country\nAcme,DE\nBeta,FR\n');
    expect((await fixture.run()).sent).toEqual([]);
  });

  it.each(['{"name":7,"hq_region":"Region"}', 'null', '[]', '"x"', '{"constructor":"Region"}'])(
    'ignores the invalid mapping %s',
    async (mapping) => {
      const fixture = new BatchFixture(table);
      const broken = journalOfOldVersion.replace(/"mapping":\{.*?\}/, `"mapping":${mapping}`);
      writeFileSync(journalFile(fixture.path), broken);
      const batch = await fixture.open(sandbox);
      batch.close();
      expect(batch.mapping.columns.map(({ column }) => column)).toContain('Company');
    },
  );
});
