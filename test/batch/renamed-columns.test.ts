import { describe, expect, it } from 'vitest';
import { BatchFixture } from './batch-fixture.ts';

const missingColumn = (message: string, hint: string) => ({
  name: 'UsageError',
  code: 'invalid_input',
  message,
  hint,
});

describe('batch after a column was renamed', () => {
  it.each(['Land', 'HQ Country', 'Country Name'])(
    'recognizes the rows by the column %s',
    async (header) => {
      const fixture = new BatchFixture('name,country\nAcme,DE\nBeta,FR\n');
      await fixture.run();
      fixture.write(`name,${header}\nAcme,DE\nBeta,FR\nGamma,IT\n`);
      expect((await fixture.run()).sent).toEqual([{ name: 'Gamma', hq_region: 'IT' }]);
      expect((await fixture.run()).sent).toEqual([]);
    },
  );

  it('sends nothing without the field and names the options to choose from', async () => {
    const fixture = new BatchFixture('name,country\nAcme,DE\nBeta,FR\n');
    await fixture.run();
    fixture.write('name,Where\nAcme,DE\nBeta,FR\n');
    const error = missingColumn(
      'The journal reads hq_region from the column "country", which this file does not have',
      'Name the column with --map hq_region=..., or use --map hq_region= to leave the field out.',
    );
    for (const choices of [{}, { dryRun: true }]) {
      await expect(fixture.run(choices)).rejects.toMatchObject(error);
    }
    expect(fixture.api.bodies).toHaveLength(2);
    expect((await fixture.run({ map: ['hq_region='] })).sent).toEqual([
      { name: 'Acme' },
      { name: 'Beta' },
    ]);
    expect((await fixture.run()).sent).toEqual([]);
  });

  it('records the column that --map names for later runs', async () => {
    const fixture = new BatchFixture('name,country\nAcme,DE\n');
    await fixture.run();
    fixture.write('name,Where\nAcme,DE\n');
    const batch = await fixture.open({ map: ['hq_region=Where'] });
    batch.close();
    expect([batch.preflight.counts.new, batch.emptyOutcome]).toEqual([0, undefined]);
    await fixture.run({ map: ['hq_region=Where'] });
    fixture.write('name,Where\nAcme,DE\nBeta,FR\n');
    expect((await fixture.run()).sent).toEqual([{ name: 'Beta', hq_region: 'FR' }]);
  });

  it('sends nothing without the field when the name column was renamed too', async () => {
    const fixture = new BatchFixture('Supplier,Land\nAcme,DE\n');
    await fixture.run();
    fixture.write('Vendor,Where\nAcme,DE\n');
    await expect(fixture.run()).rejects.toMatchObject({ name: 'UsageError' });
  });

  it('sends nothing without the field when several columns match it', async () => {
    const fixture = new BatchFixture('name,Website\nAcme,acme.com\n');
    await fixture.run();
    fixture.write('name,URL,Domain\nAcme,acme.com,acme.org\n');
    await expect(fixture.run()).rejects.toMatchObject(
      missingColumn(
        'The journal reads website from the column "Website", which this file does not have',
        'Name the column with --map website=URL, or use --map website= to leave the field out.',
      ),
    );
    fixture.write('name,Website,Website\nAcme,acme.com,acme.org\n');
    await expect(fixture.run()).rejects.toMatchObject(
      missingColumn(
        'The journal reads website from the column "Website", which this file has twice',
        'Name the column with --map website=#2, or use --map website= to leave the field out.',
      ),
    );
  });

  it('succeeds when no row is new', async () => {
    const fixture = new BatchFixture('name,country\nAcme,\n');
    await fixture.run();
    fixture.write('name\nAcme\n');
    expect((await fixture.run()).sent).toEqual([]);
    fixture.write('name\nAcme\nBeta\n');
    await expect(fixture.run()).rejects.toMatchObject({ name: 'UsageError' });
  });

  it('does not use an added column', async () => {
    const fixture = new BatchFixture('name,country\nAcme,DE\n');
    await fixture.run();
    fixture.write('name,Land,Website\nAcme,DE,acme.com\nBeta,FR,beta.fr\n');
    expect((await fixture.run()).sent).toEqual([{ name: 'Beta', hq_region: 'FR' }]);
  });
});
