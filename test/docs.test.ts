import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages } from '../build/docs/pages.ts';
import packageJson from '../package.json' with { type: 'json' };
import { helpTopics } from '../src/cli/help.ts';
import { applicableGlobals, flagsOf, ownOptions } from '../src/cli/options.ts';
import { answers } from '../src/cli/prerendered.ts';
import { loadDeclarations } from '../src/cli/program.ts';
import { VirtualClock } from './support/clock.ts';
import { readText, root } from './support/documents.ts';
import { itNeeds } from './support/programs.ts';
import { newFolder, run } from './support/run.ts';
import { understands } from './support/understands.ts';

const declarations = await loadDeclarations();

describe('npm run docs', () => {
  it('writes the pages that are committed', () => {
    const manual = Object.keys(pages).filter((path) => path.startsWith('man/'));
    const all = readdirSync(join(root, 'docs/reference')).map((name) => `docs/reference/${name}`);
    const committed = all.filter((path) => !readText(path).startsWith('<!-- Written by hand'));
    expect([...committed, ...manual].sort()).toEqual(Object.keys(pages).sort());
    // npm installs only the manual pages that package.json lists.
    expect(packageJson.man).toEqual(manual.sort());
    for (const [path, text] of Object.entries(pages)) {
      if (manual.includes(path)) continue;
      expect(readText(path), `${path} is stale: run npm run docs`).toBe(text);
    }
  });

  it.each(declarations.filter(({ formats }) => formats.includes('json')))(
    'documents what carbon $name --json prints',
    ({ name }) => {
      const isDocumented = pages['docs/reference/json.md']?.includes(`\`carbon ${name} --json\``);
      const missing = `json.md does not describe it: add \`document\` to the declaration of ${name}`;
      expect(isDocumented, missing).toBe(true);
    },
  );

  it('describes every member of the summaries of sync, report and footprint', async () => {
    const home = newFolder();
    const list = join(home, 'purchases.csv');
    writeFileSync(
      list,
      'Supplier,Country,Spend (USD),Year\nAcme AG,DE,100,2024\nAcme AG,DE,120,2025\n',
    );
    const options = [list, '--sandbox', '--json'];
    const clock = new VirtualClock();
    for (const words of [
      ['sync'],
      ['report'],
      ['footprint'],
      ['footprint', '--year', '2025', '--goal', '67%'],
      ['footprint', '--year', '2025', '--compare', '2024'],
    ]) {
      const { stdout } = await run([...words, ...options], { home, clock });
      const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
      const members = Object.keys(last.summary ?? last);
      expect(members.length).toBeGreaterThan(10);
      const page = pages['docs/reference/json.md'] ?? '';
      expect(members.filter((member) => !page.includes(`\`${member}\``))).toEqual([]);
    }
  });

  it('documents every command and every flag in the reference and in the manual', () => {
    for (const declaration of declarations) {
      const { name } = declaration;
      const manual = pages[`man/carbon-${name}.1`]?.replaceAll('\\-', '-');
      expect(pages['docs/reference/commands.md']).toContain(`\n## carbon ${name}\n`);
      for (const option of [...ownOptions(declaration), ...applicableGlobals(declaration)]) {
        for (const flag of flagsOf(option)) expect(manual).toContain(flag);
        expect(pages['docs/reference/commands.md']).toContain(option.flags);
      }
    }
  });

  itNeeds('groff', 'writes pages that man can format', () => {
    const manual = Object.entries(pages).filter(([path]) => path.startsWith('man/'));
    const input = manual.map(([, text]) => text).join('');
    const argv = ['-man', '-Tutf8', '-ww', '-Z'];
    const { status, stderr } = spawnSync('groff', argv, { input, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('examples in the help', () => {
  it.each(declarations)(
    'of carbon $name are command lines that are understood',
    async ({ name, examples }) => {
      expect(examples.join('\n')).toContain(`carbon ${name}`);
      for (const line of examples) {
        expect(line.length).toBeLessThanOrEqual(78);
        for (const command of line.split(' | '))
          expect([command, await understands(command)]).toEqual([command, true]);
      }
    },
  );
});

describe('help', () => {
  it.each([
    [['--json', 'watch', '-h'], 'Usage: carbon watch'],
    [['batch', '-h'], 'To resume a batch'],
    [['help', 'watch'], '(default: 30m)'],
  ])('of a command is found by %j', async (argv, says) => {
    expect(await run(argv)).toMatchObject({ exit: 0, stdout: expect.stringContaining(says) });
  });

  it.each([
    ['exit', 'Did you mean exit-codes?'],
    ['env', 'Did you mean environment?'],
    ['batches', 'Did you mean batch?'],
    ['foo', 'Use a command, or one of columns, docs, environment, exit-codes, options.'],
  ])('supposes what %s means', async (topic, says) => {
    expect((await run(['help', topic])).stderr).toContain(says);
  });

  it('lists every document in docs/, and where they are in the package', () => {
    const { stdout } = spawnSync(process.execPath, [join(root, 'bin/carbon.cjs'), 'help', 'docs'], {
      encoding: 'utf8',
    });
    expect(stdout).toContain(`\n  ${join(root, 'docs')}\n`);
    const named = [...stdout.matchAll(/\b[a-z-]+\.md\b/g)].map(([name]) => name);
    const all = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    expect(named.toSorted()).toEqual(all.toSorted());
  });

  it('is the same from the program as from what was generated', async () => {
    expect(Object.keys(answers).length).toBeGreaterThan(30);
    for (const [words, text] of Object.entries(answers)) {
      const { stdout, exit } = await run(words === '' ? ['help'] : words.split(' '));
      expect([words, exit, stdout]).toEqual([words, 0, text]);
    }
  });

  it('describes every command and option', () => {
    for (const declaration of declarations) {
      expect(declaration.summary).toMatch(/[^.]$/);
      for (const { description } of ownOptions(declaration)) expect(description).toMatch(/[^.]$/);
    }
  });

  it.each(Object.entries(answers).filter(([words]) => !words.startsWith('completion ')))(
    'of "carbon %s" fits 80 columns and 60 lines',
    (_, text) => {
      const lines = text.trimEnd().split('\n');
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      expect(lines.length).toBeLessThanOrEqual(60);
    },
  );

  it('is printed to standard error, as an error, without a command', async () => {
    const { exit, stdout, stderr } = await run([]);
    expect([exit, stdout, stderr]).toEqual([2, '', answers['-h']]);
  });

  it('begins with organizations, and lists -h and --version', async () => {
    const { stdout } = await run(['--help']);
    const titles = [...stdout.matchAll(/^([A-Z][a-z ]+):$/gm)].map(([, title]) => title);
    expect(titles).toEqual([
      'Examples',
      'Organizations',
      'Lists',
      'Portfolio',
      'Set up',
      'Developers',
      'Global options',
    ]);
    for (const option of ['-h, --help ', '-V, --version ']) expect(stdout).toContain(option);
  });

  it.each(['register', 'get', 'watch'])('lists the exit codes of %s', async (name) => {
    const { stdout } = await run([name, '--help']);
    const [, listed = ''] = /^Exit codes: ((?:.|\n.)*)/m.exec(stdout) ?? [];
    const codes = [...listed.matchAll(/\d+/g)].map(([code]) => code);
    expect(codes).toEqual(expect.arrayContaining(['0', '2', '4', '5', '6']));
    if (name !== 'get') expect(codes).toEqual(expect.arrayContaining(['7', '8']));
  });

  it.each(helpTopics)('has the topic %s', async (topic) => {
    expect((await run(['help', topic])).stdout).toMatchSnapshot();
  });
});

describe('a wrong command line', () => {
  it.each([
    [['foo'], "Unknown command 'foo'"],
    [
      ['export', 'firms.csv', '-o', 'x.csv'],
      "Unknown command 'export'\nHint: To export a list: `carbon list firms.csv -o list.xlsx`.",
    ],
    [['gat', '1'], 'Did you mean carbon get 1?'],
    [['get'], 'carbon get needs an ID\nHint: Try `carbon get 12`, or `carbon get -`'],
    [['api', 'organizations/12'], "Unknown command 'api'\nHint: Use `carbon get`, or `carbon"],
    [['register', '--industry-id', '1'], 'Did you mean --field industry_id=<value>?'],
    [['get', '1', '--api-key=canary'], "Unknown option '--api-key'\nHint: Pipe the key"],
    [['login', '--token', 'canary'], 'carbon login --with-key'],
    [['login', '--with-key', '--key-command', 'true'], 'cannot be combined'],
    [['logout', '--sandbox'], '--sandbox does not apply to carbon logout'],
    [['get', '1', '--jsn'], "Unknown option '--jsn'\nHint: Did you mean --json?"],
    [['get', '1', '--sandbox=1'], '--sandbox takes no value\nHint: Did you mean --sandbox?'],
    [['login', '--with-key=canary'], '--with-key takes no value\nHint: Pipe the key'],
    [['get', '-json', '1'], "Unknown option '-json'\nHint: Did you mean --json?"],
    [['--currency', 'EUR', 'get', '1'], '--currency must follow the command get\nHint: Run'],
    [['register', '--name', 'A', '--lei', 'X'], 'Did you mean --lei-number?'],
    [['register', '--name', 'A', '--country', 'DE'], 'Did you mean --hq-region?'],
    [['list', 'a.csv', '--where', "'hq_region=DE'"], 'Use double quotes: "hq_region=DE"\n'],
    [['register', '--name', "'Acme", "AG'"], 'Use double quotes: "Acme AG"\n'],
    [['list', 'a.csv', '--limit', '5'], 'Did you mean --top?'],
    [['report', 'a.csv', '--html'], 'Did you mean -o report.html?'],
    [['sync', 'a.csv', '--output', 'b.xlsx'], 'Did you mean -o results.xlsx?'],
    [['list', 'a.csv', '--filter', 'a=b'], 'Did you mean --where?'],
    [['footprint', 'a.csv', '--year', '24'], 'from 1900 to 2200\nHint: Did you mean --year 2024?'],
    [
      ['footprint', 'a.csv', '--year', '2024-2025'],
      'Hint: Write one year. To compare two: --year 2025 --compare 2024.',
    ],
    [['batch', 'a.csv', '--no-header'], 'Hint: Add a header line to the file, such as'],
    // Read from no file: there is none of this name.
    [['batch', 'none.csv', '--map', 'color=Farbe'], '--map: "color" is not a field'],
    [
      ['sync', 'none.csv', '--map', 'spend=Spend'],
      'Hint: spend is a field of carbon footprint: leave it out here.\n',
    ],
    [['batch', '-', '--map', 'name'], '--map: "name" is not field=column'],
    [
      ['batch', 'a.csv', 'b.csv'],
      'carbon batch takes 1 argument, but got 2\nHint: Run it once for',
    ],
    [['--profile', 'list', 'get', '1', '--wrong'], 'Run `carbon help get` for its options.'],
    [['--colour'], 'Run `carbon help` for its options.'],
    [['a.csv', 'report', '--unit', 't'], 'Did you mean carbon report a.csv --unit t?'],
    [['a b.xlsx'], 'Did you mean carbon report "a b.xlsx"?'],
    [['a.csv', '--sandbox'], 'Did you mean carbon report a.csv --sandbox?'],
    [['carbon', 'report', 'a.csv'], 'Did you mean carbon report a.csv?'],
    [['carbon.cmd', 'get', '1'], 'Did you mean carbon get 1?'],
    [['a.csv', 'sync', 'KEY=canary'], 'Run `carbon --help` for the list of commands.'],
    [['report', 'a.csv', '--quiet'], 'Use --no-progress to print only problems'],
    [['list', 'a.csv', '--verbose'], 'Use --debug.'],
    [['list', 'a.csv', '--desc'], 'Put - before the column: --sort -score'],
    [['list', 'a.csv', '--year', '2025'], 'Use --where year=2025, or --years --where year=2025'],
    [
      ['report', 'a.csv', '--year', '2024'],
      'For one year: `carbon list a.csv --years --where year=2024`',
    ],
    [['report', 'a.csv', '--year'], '`carbon list a.csv --years --where year=2025`'],
    [['diff', 'a.csv', '--year', '2025'], '--year is an option of carbon footprint.'],
    [['report', 'a.csv', '-o'], 'Hint: Write -o FILE.html or -o FILE.xlsx.'],
    [['list', 'a.csv', '--where'], 'Write it after the option: --where "score<40"'],
    [['report', 'a.csv', '--title'], 'Write it after the option: --title <text>'],
    [['whoami', '--base-url'], 'Write it after the option: --base-url <url>'],
    [['login', 'api.example.com/v1'], '`carbon login --base-url api.example.com/v1`?'],
    [['get', '1', '-q', '--csv'], '--json, --csv and --ids\nHint: Remove --ids.'],
    [['diff', 'a.csv', '2025-12-01'], 'Did you mean `carbon diff a.csv --since 2025-12-01`?'],
    [
      ['diff', 'a.csv', 'b.csv', '--since', '2025-12-01'],
      'Did you mean `carbon diff a.csv --since 2025-12-01`?',
    ],
    [['register', '--name', 'A', '--hq-region', 'GER'], 'two letters, such as --hq-region DE.'],
    [['batch', 'none.csv', '--map', 'Lieferant'], 'Did you mean --map name=Lieferant?'],
    [['batch', 'none.csv', '--map', 'name:Firma GmbH'], '--map "name=Firma GmbH"?'],
    [['get', '1', '--json', '--csv'], 'Use only one of'],
    [['batch', 'x.csv', '--status', '--dry-run'], '--status sends nothing, so it cannot be'],
    [['batch', '-', '--sandbox'], 'Choose one with --keep <dir>.'],
    [['batch', 'x.csv', '--status', '-q'], '--status sends nothing, so it cannot be'],
    [['whoami', '--csv'], '--csv does not apply to carbon whoami'],
    [['report', 'a', '--profile', 'work'], '--profile does not apply to carbon report'],
    [['--base-url', 'https://a.example', 'diff', 'a', 'b'], '--base-url does not apply to carbon'],
    [['login', '--with-token'], 'Hint: Pipe the key to `carbon login --with-key`'],
    [
      ['search', 'acme'],
      "Unknown command 'search'\nHint: For all names and IDs of your list: `carbon list suppliers.csv --columns id,name`",
    ],
    [['find', 'Dee', 'GmbH'], 'of your list: `carbon list suppliers.csv --columns id,name`'],
    [['lookup', 'KEY=canary'], '`carbon list suppliers.csv --columns id,name`'],
    [
      ['footprint', 'a.csv', '--goal', '67%', 'of', 'emissions', 'by', '2028'],
      'Did you mean --goal "67% of emissions by 2028"?',
    ],
    [
      ['footprint', '--goal', '67', 'by', '2028', 'a.csv', '--full'],
      'Did you mean --goal "67 by 2028"?',
    ],
    [
      ['footprint', '--year', '2025', 'a.csv', 'b.csv'],
      'Run it once for each: `carbon footprint a.csv`, then `carbon footprint b.csv`. If b.csv is the list with the records: `carbon footprint a.csv --records b.csv`',
    ],
    [['add', 'Dee GmbH'], 'Hint: Did you mean carbon register --name "Dee GmbH"?'],
    [
      ['add', 'Dee', 'GmbH', '--hq-region', 'DE', '--sandbox'],
      'Did you mean carbon register --name "Dee GmbH" --hq-region DE --sandbox?',
    ],
    [['add', '--name', 'Dee', 'GmbH'], 'Did you mean carbon register --name Dee GmbH?'],
    [['--sandbox', 'add', 'Dee'], 'Did you mean carbon --sandbox register --name Dee?'],
    [['add', 'suppliers.csv'], 'Did you mean carbon sync suppliers.csv?'],
    [['add', 'KEY=canary'], 'Did you mean carbon register?'],
    [['show', '1'], 'Did you mean carbon get 1?'],
    [['Add'], 'Did you mean carbon register?'],
    [['status'], 'Did you mean carbon get?'],
    [['status', 'a.csv'], 'Did you mean carbon sync a.csv --status?'],
    [['show', 'a.csv', '--csv'], 'Did you mean carbon list a.csv --csv?'],
    [['import', 'a.csv'], 'Did you mean carbon sync a.csv?'],
    [['upload', 'a.csv', '--sandbox'], 'Did you mean carbon sync a.csv --sandbox?'],
    [['goal', 'buy.csv'], 'Hint: Run `carbon footprint buy.csv --goal "67% by 2028"`.'],
    [
      ['footprint', 'buy.csv', '--currency', 'EUR'],
      'Hint: For the currency of the amounts: --spend-currency EUR. For records in it: `carbon sync buy.csv --currency EUR`',
    ],
    [['footprint', 'buy.csv', '--currency'], '--spend-currency EUR. For records in it: `carbon'],
    [['version'], 'Hint: Use carbon --version.'],
    [['-v'], "Unknown option '-v'\nHint: Use --version"],
    [['frobnicate'], 'Run `carbon --help` for the list of commands.'],
    [['diff', 'a', 'b', 'c'], 'carbon diff takes 2 arguments, but got 3\nHint: Run `carbon help'],
    [['register', 'API_KEY=canary'], 'Unexpected argument "API_KEY=..."\nHint: Run `carbon help'],
    [['login', 'canary'], 'carbon login takes 0 arguments, but got 1'],
    [['sync', ''], 'Error: The name of the file is empty\n'],
    [['report', ''], 'Error: The name of the file is empty\n'],
    [
      ['sync', 'a b.csv', 'b.csv', 'c'],
      'each: `carbon sync "a b.csv"`, then `carbon sync b.csv`.\n',
    ],
    [['footprint', 'a', 'b'], 'each: `carbon footprint a`, then `carbon footprint b`.'],
    [['watch', '1', '--interval', 'soon'], '"soon" is not a duration'],
    [['watch', '1', '--interval', '0'], 'is shorter than 100 ms'],
    [['batch', 'a.csv', '--concurrency', '0'], 'not a whole number from 1 to 1024'],
    [['get', '1', '--sandbox', '--base-url', 'https://a.example'], 'cannot be combined with'],
    [
      ['register', '--name'],
      '--name needs a value\nHint: Write it after the option: --name <text>',
    ],
    [['list', 'a.csv', '--unit'], '--unit needs a value\nHint: Write --unit t or --unit kg.'],
    [['sync', 'a.csv', '--doubtful'], 'Hint: Write --doubtful skip or --doubtful send.'],
    [['sync', 'a.csv', '--invalid'], '--invalid stop, --invalid skip or --invalid drop-ids.'],
    [
      ['mcp', '--root', '/none'],
      '--root /none: there is no such directory\nHint: Create the directory, or check the path.',
    ],
    [['completion', 'tcsh'], 'Use one of bash, zsh, fish, powershell.'],
    [['sandbox', '--fault', 'gremlins'], 'unknown fault kind "gremlins"'],
    [['sandbox', '--fault', '500:150%'], '"150%" is not a share'],
  ])('%j exits 2 and prints why', async (argv, expected) => {
    const { exit, stdout, stderr } = await run(argv);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(expected);
    expect(stderr).not.toContain('canary');
  });

  it.each(['-q', '--ids'])('accepts %s before and after the command', async (flag) => {
    const words = ['get', '1', '--sandbox'];
    const { stderr } = await run([flag, ...words]);
    expect(stderr).toContain('No organization has ID 1');
    expect(await run([...words, flag])).toMatchObject({ exit: 5, stdout: '', stderr });
  });

  it.each([
    ['https://one.example', '--base-url https://one.example whoami --json'],
    ['https://two.example', '--base-url https://a.b whoami --json --base-url https://two.example'],
  ])('uses the last --base-url: %s', async (value, words) => {
    const env = { CARBON_API_KEY: 'key-12345', CARBON_BASE_URL: 'https://env.example' };
    const { stdout } = await run(words.split(' '), { env });
    expect(JSON.parse(stdout).base_url).toEqual({ value, from: '--base-url' });
  });
});
