import { describe, expect, it } from 'vitest';
import { inPipe, waysOut } from '../../support/questions.ts';

const record = {
  id: 1,
  name: 'Acme AG',
  hq_region: 'DE',
  status: 'synced',
  performances: [
    {
      year: 2024,
      region: 'DE',
      revenue_currency: 'EUR',
      revenue: 1000,
      scope_1_and_2_emission_factor: 0.2,
      total_upstream_emission_factor: 0.3,
    },
  ],
};

/* Lists of spend with several readings, and further words of the command line. */
const cases: readonly [what: string, rows: readonly string[], words?: readonly string[]][] = [
  ['decimal signs', ['supplier;spend;currency', 'Acme AG;1.234;EUR', 'Kappa Oy;2.500;EUR']],
  ['a mixed column', ['supplier;spend;currency', 'Acme AG;12,50;EUR', 'Kappa Oy;1,234;EUR']],
  ['signs', ['supplier,spend,currency', 'Acme AG,-1200,EUR', 'Kappa Oy,-800,EUR']],
  [
    'signs that --invert reverses',
    ['supplier,spend,currency', 'Acme AG,1200,EUR', 'Kappa Oy,800,EUR'],
    ['--invert'],
  ],
  ['scales', ['supplier,Spend (TEUR)', 'Acme AG,1200', 'Kappa Oy,800']],
  ['currencies', ['supplier,spend', 'Acme AG,元 1200', 'Kappa Oy,元 800']],
  ['two currencies', ['supplier,spend,currency', 'Acme AG,1200,EUR'], ['--spend-currency', 'USD']],
  ['words for a currency', ['supplier,spend,currency', 'Acme AG,1200,various']],
  ['two years', ['supplier,spend,currency,year', 'Acme AG,12,EUR,2023'], ['--spend-year', '2024']],
  ['words for a year', ['supplier,spend,currency,year', 'Acme AG,12,EUR,last']],
  ['columns of spend', ['supplier,amount,net amount,currency', 'Acme AG,1200,1000,EUR']],
  ['no column of spend', ['supplier,paid in 2024,notes', 'Acme AG,1200,late', 'Kappa Oy,800,']],
  ['a scale and a sign', ['supplier,Spend (TEUR)', 'Acme AG,"1.234"', 'Kappa Oy,"2.500"']],
  ['upstream factors', ['supplier,spend,currency,year', 'Acme AG,1200,EUR,2024']],
];

describe('a question about a footprint', () => {
  it.each(cases)('offers the ways to read %s with their sums', async (_, rows, words = []) => {
    const { folder, line, pipe } = await inPipe({
      files: { 'spend.csv': `${rows.join('\n')}\n`, 'r.ndjson': `${JSON.stringify(record)}\n` },
      argv: ['footprint', 'spend.csv', '--records', 'r.ndjson', ...words],
    });
    expect(`${await waysOut(line, folder)}\n${pipe}`).toMatchSnapshot();
  });

  it('replaces a column that the command line gives', async () => {
    const { folder, line } = await inPipe({
      files: { 's.csv': 'supplier,spend,Cur,P\nAcme AG,1200,various,2\n', 'r.ndjson': '\n' },
      argv: ['footprint', 's.csv', '--records', 'r.ndjson', '--map', 'spend_currency=Cur,spend=P'],
    });
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "s.csv, line 2: "various" in column "Cur" is not a known currency
      ◆  Which currency counts? (Esc: stop)
      Ignore column "Cur": sum 2 without a currency → Running: carbon footprint s.csv --records r.ndjson --map spend=P --map spend_currency=
      Stop → exit 2"
    `);
  });
});
