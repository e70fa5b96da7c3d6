import { describe, expect, it } from 'vitest';
import { run, transcript } from '../../support/run.ts';
import { serve } from '../../support/server.ts';

const record = {
  id: 7,
  name: 'Acme\u001b[31m AG',
  score: 0.5144,
  website: null,
  'new field': { inner: [1, 2] },
  matching_organization: {
    link: 'https://service.example/7',
    tickers: [{ exchange: 'XETRA', symbol: 'ACM' }],
  },
  performances: [
    {
      year: 2025,
      emissions: { scope_1: { total: 1_234_567 } },
      documents: [{ url: 'https://acme.example/2025.pdf' }],
      production_emission_factors: [{ product: 'steel', factor: 1.9 }],
    },
    { year: 2024, documents: [] },
  ],
  sources: [{ url: 'https://acme.example/a', mirror_url: 'https://mirror.example/a' }],
};

const get = async (words: readonly string[] = [], json: object = record) => {
  const { env } = await serve({ json });
  return { words: ['get', '7', '--full', ...words], env };
};

describe('carbon get --full', () => {
  it('prints every value under its path in a pipe, unknown ones included', async () => {
    const { words, env } = await get();
    expect(await transcript(words, { env })).toMatchInlineSnapshot(`
      "statement: Scope 1 of 1.23 million in 2025, without scope 2.
      statement: How sure: Quote no amount before its unit is known: compare one with the company's own report, then add --unit
      statement: As of: figures of 2025, record retrieved 15 Jan 2026
      id: 7
      name: Acme�[31m AG
      score: 51.4
      website: –
      "new field".inner: 1, 2
      matching_organization.link: https://service.example/7
      matching_organization.tickers[0].exchange: XETRA
      matching_organization.tickers[0].symbol: ACM
      performances[0].year: 2025
      performances[0].emissions.scope_1.total: 1234567
      performances[0].documents[0].url: https://acme.example/2025.pdf
      performances[0].production_emission_factors[0].product: steel
      performances[0].production_emission_factors[0].factor: 1.9
      performances[1].year: 2024
      performances[1].documents: none
      sources[0].url: https://acme.example/a
      sources[0].mirror_url: https://mirror.example/a
      --- exit 0"
    `);
  });

  it('shows tables in a terminal, with the items of a list side by side', async () => {
    const { words, env } = await get();
    const { stdout } = await run(words, { env, terminal: 80 });
    expect(stdout).toMatchInlineSnapshot(`
      "Acme�[31m AG
      Scope 1 of 1.23 million in 2025, without scope 2.
      ◐ no status · research in progress, figures may be missing
        How sure: Quote no amount before its unit is known: compare one with the
          company's own report, then add --unit
        As of: figures of 2025, record retrieved 15 Jan 2026

      record
      Field                       Value
      ──────────────────────────  ─────────────────────────
      id                          7
      name                        Acme�[31m AG
      score                       51.4
      "new field".inner           1, 2
      matching_organization.link  https://service.example/7
      No value: website

      matching_organization.tickers
      Field     [0]
      ────────  ─────
      exchange  XETRA
      symbol    ACM

      performances
      Field                    [0]        [1]
      ───────────────────────  ─────────  ────
      year                     2025       2024
      emissions.scope_1.total  1,234,567
      documents                           none

      performances[0].documents
      Field  [0]
      ─────  ─────────────────────────────
      url    https://acme.example/2025.pdf

      performances[0].production_emission_factors
      Field    [0]
      ───────  ─────
      product  steel
      factor   1.9

      sources
      Field       [0]
      ──────────  ────────────────────────
      url         https://acme.example/a
      mirror_url  https://mirror.example/a
      "
    `);
  });

  it('groups paths with the same start where they have no room', async () => {
    const scope_3 = { upstream_transportation_and_distribution: 192_610, investments: 83_031_390 };
    const of = (year: number) => ({ year, emissions: { scope_3, total: 94_610_650 } });
    const link = `https://service.example/${'organizations/'.repeat(3)}`;
    const wide = {
      id: 7,
      cdp: { link, is_listed: true },
      performances: [2025, 2024, 2023].map(of),
    };
    const { words, env } = await get([], wide);
    const { stdout } = await run(words, { env, terminal: 72 });
    expect(stdout).toMatchInlineSnapshot(`
      "no name
      Total emissions of 94.6 million in 2025.
      ◐ no status · research in progress, figures may be missing
        How sure: Quote no amount before its unit is known: compare one with
          the company's own report, then add --unit
        As of: figures of 2025, record retrieved 15 Jan 2026

      record
      id           7
      cdp
        link
          https://service.example/organizations/organizations/organizations/
        is_listed  true

      performances
      Field              [0]         [1]         [2]
      ─────────────────  ──────────  ──────────  ──────────
      year               2025        2024        2023
      emissions.scope_3
        upstream_transportation_and_distribution
                         192,610     192,610     192,610
        investments      83,031,390  83,031,390  83,031,390
      emissions.total    94,610,650  94,610,650  94,610,650
      "
    `);
    // A name without room stands above its values, which stay side by side.
    const narrow = await run(words, { env, terminal: 56 });
    expect(narrow.stdout.split('performances\n')[1]).toMatchInlineSnapshot(`
      "Field              [0]         [1]         [2]
      ─────────────────  ──────────  ──────────  ──────────
      year               2025        2024        2023
      emissions.scope_3
        upstream_transportation_and_distribution
                         192,610     192,610     192,610
        investments      83,031,390  83,031,390  83,031,390
      emissions.total    94,610,650  94,610,650  94,610,650
      "
    `);
    const unbroken = await run(words, { env, terminal: 120 });
    expect(unbroken.stdout).toContain('emissions.scope_3.investments');
  });

  it('loses no value in a terminal of 40 columns', async () => {
    const { words, env } = await get();
    const { stdout } = await run(words, { env, terminal: 40 });
    const shown = stdout.replace(/\s/g, '');
    for (const value of ['1,234,567', 'mirror.example/a', '2025.pdf', 'steel', 'XETRA', '51.4'])
      expect(shown).toContain(value);
    expect(stdout.split('\n').filter((line) => line.length > 40)).toEqual([]);
  });

  it('ends at a depth that no record has', async () => {
    const deep = `{"id":7,"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { env } = await serve((response) => response.end(deep));
    const { exit, stdout } = await run(['get', '7', '--full'], { env });
    expect([exit, stdout]).toEqual([0, expect.stringContaining('more (use --json)')]);
  });

  it('says before each of several records of a sandbox that its data is synthetic', async () => {
    const reply = (id: number) => ({ json: { id }, headers: { 'carbon-sandbox': 'synthetic' } });
    const { env } = await serve(reply(1), reply(2));
    const { stdout } = await run(['get', '1', '2', '--full'], { env });
    const note = 'figures: Synthetic sandbox data, not real research\n';
    const each = `(statement: .*\n)*${note}id: \\d\n`;
    expect(stdout).toMatch(new RegExp(`^${each}\n${each}$`));
  });

  it('begins with what the record says, as without --full', async () => {
    const { words, env } = await get([], {
      ...record,
      status: 'synced',
      matching_organization: { id: 8 },
    });
    const { stdout } = await run(words, { env });
    expect(stdout).toMatch(/^statement: Scope 1 of 1.23 million in 2025, without scope 2\.\n/);
    const first = async (args: readonly string[]) =>
      (await run(args, { env, terminal: 80 })).stdout.split('\n').slice(0, 6);
    const lines = await first(words);
    expect(lines[1]).toBe('Scope 1 of 1.23 million in 2025, without scope 2.');
    expect(lines[3]).toMatch(/^ {2}How sure: Quote no amount before its unit is known: /);
    expect(lines).toEqual(await first(words.filter((word) => word !== '--full')));
  });

  it('prints the document with --json', async () => {
    const { words, env } = await get(['--json']);
    expect((await run(words, { env })).stdout).toBe(`${JSON.stringify(record)}\n`);
  });

  it.each(['--csv', '-q', '-o out.xlsx'])('is a usage error with %s', async (other) => {
    const { words, env } = await get(other.split(' '));
    const { exit, stderr } = await run(words, { env });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('--full does not go with')]);
  });
});
