import { describe, expect, it } from 'vitest';
import { run } from '../support/run.ts';
import { wordsOf } from '../support/understands.ts';

describe('an unknown option', () => {
  it.each([
    ['diff a.csv --year 2025', "'--year'", '--year is an option of carbon footprint.'],
    ['report a.csv --where score=4', "'--where'", '--where is an option of carbon list.'],
    ['diff a.csv --year=2025', "'--year'", '--year is an option of carbon footprint.'],
    ['list a.csv --goal "67% by 2028"', "'--goal'", '--goal is an option of carbon footprint.'],
    ['footprint a.csv --columns name', "'--columns'", '--columns is an option of carbon list'],
    ['get abc --sort x', "'--sort'", '--sort is an option of carbon list.'],
    [
      'report a.csv --dry-run',
      "'--dry-run'",
      '--dry-run is an option of carbon register, sync and batch.',
    ],
    [
      'check a.csv --unit kg',
      "'--unit'",
      'Leave it out: carbon check compares the figures of each record, and shows no totals.',
    ],
    // It is a column.
    ['list a.csv --country DE', "'--country'", 'Did you mean --where country=DE?'],
    ['list a.csv --score "<40"', "'--score'", 'Did you mean --where "score<40"?'],
    ['list a.csv --name "Acme AG"', "'--name'", 'Did you mean --where "name=Acme AG"?'],
    [
      'list a.csv --score',
      "'--score'",
      'To select rows by it: --where "score=..."; to sort by it: --sort score',
    ],
    [
      'report a.csv --country DE',
      "'--country'",
      'To select organizations: `carbon list a.csv --where country=DE`',
    ],
    ['get --id 1001', "'--id'", 'IDs need no option: `carbon get 1001`'],
    ['footprint a.csv --spend Amount', "'--spend'", 'Did you mean --map spend=Amount?'],
    ['sync a.csv --force', "'--force'", 'Did you mean --overwrite?'],
    ['sync a.csv -help', "'-help'", 'Use carbon --help.'],
    // The command has an option for it.
    ['list a.csv --limit 3', "'--limit'", 'Did you mean --top?'],
    [
      'report a.csv --format json',
      "'--format'",
      'Use --json. With a file: -o FILE.html or -o FILE.xlsx.',
    ],
    ['list a.csv --format=CSV', "'--format'", 'Use --csv. With a file: -o FILE.xlsx, -o FILE.csv'],
    ['list a.csv --output-format table', "'--output-format'", 'Use --json or --csv. With a file'],
    ['list a.csv --output json', "'--output'", 'Use --json. With a file: -o FILE'],
    ['whoami --format csv', "'--format'", 'Use --json.'],
    ['report a.csv --html x.html', "'--html'", 'Did you mean -o x.html?'],
    ['report a.csv --html "my page.html"', "'--html'", 'Did you mean -o "my page.html"?'],
    ['report a.csv --html', "'--html'", 'Did you mean -o report.html?'],
    ['report --html a.csv', "'--html'", 'Did you mean -o report.html?'],
    // It writes no page.
    ['diff a.csv --html x.html', "'--html'", 'Did you mean -o results.xlsx?'],
    ['report a.csv -u kg', "'-u'", 'Did you mean --unit kg?'],
    ['report a.csv -u lbs', "'-u'", 'Run `carbon help report` for its options.'],
  ])('gets what does it: %s', async (line, option, hint) => {
    const { exit, stderr } = await run(wordsOf(line));
    expect([exit, stderr]).toEqual([
      2,
      expect.stringMatching(`^Error: Unknown option ${option}\nHint: `),
    ]);
    expect(stderr).toContain(`Hint: ${hint}`);
  });

  it.each([
    ['sandbox start', 'Did you mean `carbon sandbox`?'],
    ['help report a.csv', 'Did you mean `carbon help report`?'],
    ['config set unit kg', 'Did you mean carbon login?'],
    ['account', 'Did you mean carbon whoami?'],
    ['/?', 'Use carbon --help.'],
    ['list a.csv --where "country -eq DE"', 'Did you mean --where "country=DE"?'],
    ['list a.csv --where "score -lt 40"', 'Did you mean --where "score<40"?'],
    ['report a.csv --full=yes', 'Did you mean --full?'],
    ['footprint a.csv --compare 2024 2025', 'Did you mean --compare 2024 --year 2025?'],
  ])('or another habit leads on: %s', async (line, hint) => {
    const { exit, stderr } = await run(wordsOf(line));
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`Hint: ${hint}`)]);
  });
});
