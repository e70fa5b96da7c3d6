import { describe, expect, it } from 'vitest';
import { run } from '../support/run.ts';
import { wordsOf } from '../support/understands.ts';

/* The virtual clock begins on 2026-01-15. */
describe('a wrong value of an option', () => {
  it.each([
    ['footprint a.csv --since yesterday', '--since 2026-01-14.'],
    ['footprint a.csv --at today', '--at 2026-01-15.'],
    ['diff a.csv --since "last month"', '--since 2025-12-15.'],
    ['diff a.csv --since "2 weeks ago"', '--since 2026-01-01.'],
    ['diff a.csv --since 7d', '--since 2026-01-08.'],
    ['list a.csv --at "a year ago"', '--at 2025-01-15.'],
    ['report a.csv --at 2025', '--at 2025-01-01 or --at 2025-12-31.'],
    ['report a.csv --at 2025-02', '--at 2025-02-01 or --at 2025-02-28.'],
    ['report a.csv --at 2025-02-30', '--at 2025-02-28.'],
    ['report a.csv --at 01.10.2025', '--at 2025-10-01.'],
    ['report a.csv --at 31/10/2025', '--at 2025-10-31.'],
    ['report a.csv --at 10/31/2025', '--at 2025-10-31.'],
    ['report a.csv --at 10/1/2025', '--at 2025-10-01 or --at 2025-01-10.'],
    ['report a.csv --at 3/3/2025', '--at 2025-03-03.'],
    ['report a.csv --at 20251001', '--at 2025-10-01.'],
    ['report a.csv --at 2025/10/1', '--at 2025-10-01.'],
    ['report a.csv --at 2025-10-01T08:00Z', '--at 2025-10-01.'],
    ['report a.csv --at "1 Oct 2025"', '--at 2025-10-01.'],
    ['report a.csv --at "October 1, 2025"', '--at 2025-10-01.'],
  ])('gets the day as it is written: %s', async (line, hint) => {
    const { exit, stderr } = await run(wordsOf(line));
    expect([exit, stderr]).toEqual([
      2,
      expect.stringMatching(/^Error: --(since|at): ".*" is not a date\nHint: /),
    ]);
    expect(stderr).toContain(`Hint: Write the day as YYYY-MM-DD: ${hint}\n`);
  });

  it.each(['soon', '2025-13-01', '45.10.2025', '0 days ago', '12 Foo 2025', ''])(
    'gets an example of a day if nothing says which is meant: "%s"',
    async (text) => {
      const { stderr } = await run(['report', 'a.csv', '--at', text]);
      expect(stderr).toMatch(/Hint: Write a day as YYYY-MM-DD, such as --at 2026-01-14\.\n$/);
    },
  );

  it.each([
    ['list a.csv --top ten', 'Write a whole number, such as --top 10.'],
    ['list a.csv --top 0', 'Write a whole number, such as --top 10.'],
    ['list a.csv --top -5', 'Did you mean --top 5?'],
    ['list a.csv --top 1,000', 'Did you mean --top 1000?'],
    ['list a.csv --top 2.5', 'Write a whole number, such as --top 10.'],
    ['footprint a.csv --max-factor-age "3 years"', 'Did you mean --max-factor-age 3?'],
    ['footprint a.csv --max-factor-age 3y', 'Did you mean --max-factor-age 3?'],
    ['footprint a.csv --max-factor-age three', 'Write a whole number, such as --max-factor-age 5.'],
    ['sync a.csv --rate fast', 'Write the requests per second, such as --rate 10.'],
    ['sync a.csv --rate 10/s', 'Did you mean --rate 10?'],
    ['sync a.csv --metrics-file run.txt', 'Hint: Write a name such as --metrics-file run.prom.'],
    [
      'footprint a.csv --unit lbs',
      'Write --unit t or --unit kg. It is the unit of the records: nothing is',
    ],
    ['footprint a.csv --unit tCO2', 'It is the unit of the records: nothing is converted'],
    ['footprint a.csv --amounts-in thousand', 'Did you mean --amounts-in thousands?'],
    ['footprint a.csv --amounts-in 1000', 'Did you mean --amounts-in thousands?'],
    ['footprint a.csv --amounts-in T€', 'Did you mean --amounts-in thousands?'],
    ['footprint a.csv --amounts-in Mio', 'Did you mean --amounts-in millions?'],
    ['footprint a.csv --amounts-in EUR', 'Their currency: --spend-currency EUR.'],
    ['footprint a.csv --upstream-factor add', 'Did you mean --upstream-factor additive?'],
    ['footprint a.csv --upstream-factor yes', '--upstream-factor additive or --upstream-factor'],
    ['footprint a.csv --boundary scope12', 'Did you mean --boundary scope-1-2?'],
    ['footprint a.csv --boundary upstream', '--boundary cradle-to-gate, --boundary scope-1-2 or'],
    [
      'footprint a.csv --decimal comma',
      'Use --decimal "," for 1.234,50 and --decimal "." for 1,234.50.',
    ],
    [
      'footprint a.csv --goal soon',
      'Write a share and its year, such as --goal "67% by 2028", or a share of spend: --goal "80% of spend".',
    ],
    // Megatonnes, or metric tons: nobody knows.
    ['list a.csv --unit MtCO2e', 'Write --unit t or --unit kg. It is the unit of the records'],
    ['footprint a.csv --goal "150% by 2030"', 'such as --goal "67% by 2030".'],
    ['footprint a.csv --goal "cut 50% by 2030"', 'Did you mean --goal "50% by 2030"?'],
    ['footprint a.csv --goal "67% by 28"', 'Did you mean --goal "67% by 2028"?'],
    ['footprint a.csv --goal "67,5 % by 2028"', 'Did you mean --goal "67.5% by 2028"?'],
    ['footprint a.csv --goal 67%/2030', 'Did you mean --goal "67% by 2030"?'],
    ['footprint a.csv --goal "80% spend 2030"', 'Did you mean --goal "80% of spend by 2030"?'],
    ['footprint a.csv --goal 0.67', 'Did you mean --goal "67%"?'],
    ['footprint a.csv --goal "0.67 by 2030"', 'Did you mean --goal "67% by 2030"?'],
    ['footprint a.csv --year 25', 'Did you mean --year 2025?'],
    ['footprint a.csv --year FY25', 'Did you mean --year 2025?'],
    ['footprint a.csv --year 2025/26', 'Did you mean --year 2025?'],
    ['footprint a.csv --year 2024-2025', 'To compare two: --year 2025 --compare 2024.'],
    ['footprint a.csv --year 24,25', 'To compare two: --year 2025 --compare 2024.'],
    ['footprint a.csv --year 1525', 'Write one year, such as --year 2025.'],
    ['footprint a.csv --spend-year "Jahr 2024"', 'Did you mean --spend-year 2024?'],
    ['footprint a.csv --compare 24', 'Did you mean --compare 2024?'],
    ['footprint a.csv --compare "2024 "', 'Did you mean --compare 2024?'],
    ['footprint a.csv --compare FY2024', 'Did you mean --compare 2024?'],
    ['footprint a.csv --unit Tonnen', 'To find it out, compare one company with its own report'],
    ['footprint a.csv --unit KG', 'Did you mean --unit kg?'],
    ['sync a.csv --rate 30/min', 'Did you mean --rate 0.5?'],
    ['sync a.csv --rate "90 per hour"', 'Did you mean --rate 0.025?'],
    ['sync a.csv --timeout 5', 'Add the unit: --timeout 5s or --timeout 5m.'],
    ['sync a.csv --timeout 10min', 'Did you mean --timeout 10m?'],
    ['sync a.csv --timeout "1 hour 30 minutes"', 'Did you mean --timeout 1h30m?'],
    ['sync a.csv --max-age 2 ', 'Add the unit: --max-age 2s or --max-age 2m.'],
    ['sync a.csv --max-age 1week', 'Did you mean --max-age 7d?'],
    ['sync a.csv --max-age "2 Wochen"', 'Did you mean --max-age 14d?'],
    ['watch 1 --interval 1Sek', 'Did you mean --interval 1s?'],
    ['watch 1 --timeout soon', 'Write a duration such as --timeout 30s, 10m, 1h or 7d.'],
    ['sync a.csv --sandbox --currency euro', 'Did you mean EUR?'],
    [
      'sync a.csv --sandbox --currency EUR,USD',
      'is not one currency code: run the command once for each\nHint: Use a code',
    ],
    ['sync a.csv --sandbox --currency Taler', 'Use a code such as EUR, USD or CHF.'],
  ])('gets a hint to paste: %s', async (line, hint) => {
    const { exit, stderr } = await run(wordsOf(line));
    expect([exit, stderr]).toEqual([
      2,
      expect.stringMatching(/^Error: --[a-z-]+: .+\nHint: .+\n$/),
    ]);
    expect(stderr).toContain(hint);
  });
});
