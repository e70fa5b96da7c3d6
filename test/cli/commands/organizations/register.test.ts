import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../support/clock.ts';
import { newFolder, run, transcript } from '../../../support/run.ts';
import { serve } from '../../../support/server.ts';

const acme = ['--name', 'Acme AG', '--hq-region', 'DE'];

describe('carbon register', () => {
  it('shows the record, and the next command on a terminal', async () => {
    const home = newFolder();
    const env = { NO_COLOR: '1' };
    expect(await transcript(['register', '--sandbox', ...acme], { home })).toMatchInlineSnapshot(`
      "name: Acme AG
      status: created
      research: in progress, figures may be missing
      figures: Synthetic sandbox data, not real research
      id: 1
      headquarters: Germany (DE)
      --- exit 0"
    `);
    expect(
      await transcript(['register', '--sandbox', ...acme], { home, env, terminal: 80 }),
    ).toMatchInlineSnapshot(`
      "Acme AG
      ◐ created · research in progress, figures may be missing
      Synthetic sandbox data, not real research

        ID              1
        Headquarters    Germany (DE)
      --- stderr
      Hint: Research is in progress. To follow it: carbon watch 1 --sandbox
      --- exit 0"
    `);
  });

  it('sends every known field, and others with --field', async () => {
    const { env, seen } = await serve({ json: { id: 1 } });
    const fields = {
      '--name': '-quality GmbH',
      '--hq-region': 'de',
      '--hq-subregion': 'by',
      '--hq-fuzzy': 'Munich, Germany',
      '--website': 'quality.example',
      '--external-id': 'S-1',
      '--duns-number': '15-048-3782',
      '--lei-number': '5493001KJTIIGC8Y1R12',
      '--isin-number': 'US0378331005',
      '--currency': 'eur',
    };
    const others = ['industry_id=12', 'industry_name=Steel', 'is_legal_entity_name=true'];
    const unknown = ['sp_global_number=4', 'vat=DE=1', 'tax=2'];
    const more = [...others, ...unknown].flatMap((field) => ['--field', field]);
    const { exit } = await run(['register', '-q', ...Object.entries(fields).flat(), ...more], {
      env,
    });
    expect(exit).toBe(0);
    const body = JSON.parse(seen[0]?.body ?? '');
    expect(body).toEqual({
      name: '-quality GmbH',
      hq_region: 'DE',
      hq_subregion: 'BY',
      hq_fuzzy: 'Munich, Germany',
      industry_id: '12',
      industry_name: 'Steel',
      website: 'quality.example',
      external_id: 'S-1',
      is_legal_entity_name: true,
      duns_number: '150483782',
      lei_number: '5493001KJTIIGC8Y1R12',
      isin_number: 'US0378331005',
      sp_global_number: '4',
      currency: 'EUR',
      vat: 'DE=1',
      tax: '2',
    });
  });

  it('shows the organization that it waits for, and no count of one', async () => {
    const words = ['register', '--sandbox', ...acme, '--wait'];
    const animated = { clock: new VirtualClock(), terminal: 80, isAnimated: true };
    const { stderr } = await run(words, animated);
    expect(stderr).toMatch(/Acme AG · \S+ · \d/);
    expect(stderr).not.toContain('0 ended');
  });

  it.each([
    { name: 'Booking.com', website: 'booking.com' },
    { name: 'E.ON' },
    { name: 'Dr.Oetker', website: 'info@oetker.example' },
    { name: 'acme.org', doubtful: 'send' },
    { name: 'A', website: 'not a site', doubtful: 'send' },
  ])('sends a name or a website that is one, or that the user means: %o', async (given) => {
    const { env, seen } = await serve({ json: { id: 1 } });
    const words = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
    const { exit } = await run(['register', ...words], { env });
    const { doubtful, ...body } = given as Record<string, string>;
    expect([exit, JSON.parse(seen[0]?.body ?? '')]).toEqual([0, body]);
  });

  it.each([
    ['true', true],
    ['no', false],
    ['ja', true],
  ])('reads a --field that is yes or no as a cell of a list: %s', async (word, value) => {
    const words = ['--name', 'A', '--field', `is_legal_entity_name=${word}`];
    const { stdout } = await run(['register', '--dry-run', ...words]);
    expect(JSON.parse(stdout)).toEqual({ name: 'A', is_legal_entity_name: value });
  });

  it('accepts a value that looks like a flag', async () => {
    for (const words of [['--name', '--json'], ['--name=--json']]) {
      const { stdout, stderr } = await run(['register', '--dry-run', ...words]);
      expect([stdout, stderr]).toEqual(['{"name":"--json"}\n', '']);
    }
  });

  it.each([
    ['no name', '--hq-region DE', 'Missing --name'],
    ['an option that is given twice', '--name A --name B', '--name was given twice: "A" and "B"'],
    ['a --field twice', '--name A --field vat=1 --field vat=2', '--field vat was given twice'],
    ['an empty name', '--name \u00a0\u200b', 'is missing: an organization needs a name'],
    ['a country in words', '--name A --hq-region Germany', 'Did you mean --hq-region DE?'],
    [
      'a --field that is neither yes nor no',
      '--name A --field is_legal_entity_name=maybe',
      '--field is_legal_entity_name: "maybe" is neither yes nor no',
    ],
    ['a wrong LEI', '--name A --lei-number 5493001KJTIIGC8Y1R13', 'has wrong check digits'],
    ['a wrong currency', '--name A --currency €', 'is not an ISO 4217 currency code'],
    ['a name in pieces', '--name Acme AG', 'Did you mean --name "Acme AG"?'],
    ['a name without its option', 'Dee GmbH', 'Did you mean --name "Dee GmbH"?'],
    ['a list', 'list.csv', '"list.csv" looks like a list\nHint: To register its rows, run `carbon'],
    ['a list as a name', '--name list.xlsx', 'looks like a list'],
    ['a value of --wait', '--name A --wait 5m', 'use --timeout 5m.'],
    [
      'a website as a name',
      '--name https://acme.com',
      'is a web address, not a name\nHint: Did you mean --name <name> --website https://acme.com?',
    ],
    [
      'a domain as a name',
      '--name acme.org',
      'Error: --name "acme.org" looks like a web address, not a name\nHint: Did you mean --name <name> --website acme.org? To register it as it is, add --doubtful send.',
    ],
    [
      'a website that is none',
      '--name A --website none',
      'Error: --website "none" is neither a web nor an email address\nHint: To leave it out, remove --website. To register it as it is, add --doubtful send.',
    ],
    ['an email address as a name', '--name info@acme.com', 'is an email address, not a name'],
    ['a place', '--name A --hq-region Bavaria', '"Bavaria" is not an ISO 3166-1 two-letter'],
    ['a broken --field', '--name A --field x', 'is not name=value'],
    ['a known field as --field', '--name A --field name=B', 'Use --name.'],
    ['--dry-run with --csv', '--name A --dry-run --csv', 'cannot be combined with --csv'],
    ['--timeout alone', '--name A --timeout 3s', '--timeout requires --wait'],
  ])('refuses %s before anything is sent', async (_, words, expected) => {
    const { env, seen } = await serve({ json: { id: 1 } });
    const { exit, stdout, stderr } = await run(['register', ...words.split(' ')], { env });
    expect([exit, stdout, seen]).toEqual([2, '', []]);
    expect(stderr).toContain(expected);
  });

  it('quotes the reason of the service for refused data', async () => {
    const detail = 'Unrecognized parameters: shade';
    const { env } = await serve({
      status: 422,
      json: { status: 422, title: 'Unrecognized parameters', detail },
    });
    expect(
      await transcript(['register', ...acme, '--field', 'shade=red'], { env }),
    ).toMatchInlineSnapshot(`
      "--- stderr
      Error: The service rejected Acme AG (422): Unrecognized parameters: shade
      Hint: Run \`carbon register --help\` for the list of fields. A service may reject others, set with --field.
      --- exit 3"
    `);
  });

  it('follows the research to its end with --wait', async () => {
    const clock = new VirtualClock();
    expect(
      await transcript(['register', '--sandbox', ...acme, '--wait', '--json', '--no-progress'], {
        clock,
      }),
    ).toMatch(/^\{"id":1,"name":"Acme AG",.*"status":"synced".*\}\n--- exit 0$/);
    expect(clock.elapsed()).toBeGreaterThanOrEqual(10_000);
  });

  it('exits 7 when research ends errored, and 8 at the time limit', async () => {
    const follow = ['register', '--sandbox', '--wait', '--name'];
    const errored = await run([...follow, 'Sandbox errored', '-q']);
    expect(errored).toMatchObject({ exit: 7, stdout: '1\n' });
    expect(await run([...follow, 'Sandbox pending', '--timeout', '1m'])).toMatchObject({
      exit: 8,
      stdout: expect.stringContaining('name: Sandbox pending'),
      stderr: expect.stringContaining('still in progress. To resume, run the same command again'),
    });
  });
});
