import { describe, expect, it } from 'vitest';
import { Nightly } from '../nightly.ts';

const gone = (message: string, hint: string) => ({
  name: 'UsageError',
  code: 'invalid_input',
  message,
  hint,
});

describe('a file whose column got another header since its journal was written', () => {
  it.each(['Land', 'HQ Country', 'Country Name'])(
    'has its rows known by the column %s',
    async (header) => {
      const nightly = new Nightly('name,country\nAcme,DE\nBeta,FR\n');
      await nightly.run();
      nightly.write(`name,${header}\nAcme,DE\nBeta,FR\nGamma,IT\n`);
      expect((await nightly.run()).sent).toEqual([{ name: 'Gamma', hq_region: 'IT' }]);
      expect((await nightly.run()).sent).toEqual([]);
    },
  );

  it('sends nothing without the field, and names the options that decide', async () => {
    const nightly = new Nightly('name,country\nAcme,DE\nBeta,FR\n');
    await nightly.run();
    nightly.write('name,Where\nAcme,DE\nBeta,FR\n');
    const error = gone(
      'The journal takes hq_region from the column "country", which this file does not have',
      'Name its column: --map hq_region=...; --map hq_region= sends all rows without it.',
    );
    for (const choices of [{}, { dryRun: true }]) {
      await expect(nightly.run(choices)).rejects.toMatchObject(error);
    }
    expect(nightly.api.bodies).toHaveLength(2);
    expect((await nightly.run({ map: ['hq_region='] })).sent).toEqual([
      { name: 'Acme' },
      { name: 'Beta' },
    ]);
    expect((await nightly.run()).sent).toEqual([]);
  });

  it('takes over the column that --map names, for each later run too', async () => {
    const nightly = new Nightly('name,country\nAcme,DE\n');
    await nightly.run();
    nightly.write('name,Where\nAcme,DE\n');
    const batch = await nightly.open({ map: ['hq_region=Where'] });
    batch.close();
    expect([batch.preflight.counts.new, batch.emptyOutcome]).toEqual([0, undefined]);
    await nightly.run({ map: ['hq_region=Where'] });
    nightly.write('name,Where\nAcme,DE\nBeta,FR\n');
    expect((await nightly.run()).sent).toEqual([{ name: 'Beta', hq_region: 'FR' }]);
  });

  it('sends nothing without the field when the name has another header too', async () => {
    const nightly = new Nightly('Supplier,Land\nAcme,DE\n');
    await nightly.run();
    nightly.write('Vendor,Where\nAcme,DE\n');
    await expect(nightly.run()).rejects.toMatchObject({ name: 'UsageError' });
  });

  it('sends nothing without the field when several columns may be it', async () => {
    const nightly = new Nightly('name,Website\nAcme,acme.com\n');
    await nightly.run();
    nightly.write('name,URL,Domain\nAcme,acme.com,acme.org\n');
    await expect(nightly.run()).rejects.toMatchObject(
      gone(
        'The journal takes website from the column "Website", which this file does not have',
        'Name its column: --map website=URL; --map website= sends all rows without it.',
      ),
    );
    nightly.write('name,Website,Website\nAcme,acme.com,acme.org\n');
    await expect(nightly.run()).rejects.toMatchObject(
      gone(
        'The journal takes website from the column "Website", which this file has twice',
        'Name its column: --map website=#2; --map website= sends all rows without it.',
      ),
    );
  });

  it('ends as ever when no row is new', async () => {
    const nightly = new Nightly('name,country\nAcme,\n');
    await nightly.run();
    nightly.write('name\nAcme\n');
    expect((await nightly.run()).sent).toEqual([]);
    nightly.write('name\nAcme\nBeta\n');
    await expect(nightly.run()).rejects.toMatchObject({ name: 'UsageError' });
  });

  it('still does not use a column that was added', async () => {
    const nightly = new Nightly('name,country\nAcme,DE\n');
    await nightly.run();
    nightly.write('name,Land,Website\nAcme,DE,acme.com\nBeta,FR,beta.fr\n');
    expect((await nightly.run()).sent).toEqual([{ name: 'Beta', hq_region: 'FR' }]);
  });
});
