/*
 * Records and file names are foreign text. For any content, `carbon report` and `carbon diff` print
 * safe output or one clear error, and a page is complete or missing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { organizationSchema } from '../../src/api/organization-schema.ts';
import { arbitrary, build, hostileText } from '../cli/output/schema.ts';
import { newFolder, type Outcome, run, type World } from '../support/run.ts';
import { runs } from '../support/seed.ts';
import { attacks, unsafe } from './attacks.ts';

const formula = /^\s*[=+\-@＝＋－＠]/u;

const harmful = [
  ...attacks,
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '</script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style></title></template><iframe src=//evil.example>',
  '<!-- ]]> -->',
  'javascript:alert(1)',
  '&lt;b&gt;{{7*7}}',
  'ﷺ'.repeat(40),
  '漢'.repeat(90),
];
const text = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...harmful) }, hostileText);

/* Creates a record with the text in every text field, including URLs. */
const filled = (value: string) =>
  build(organizationSchema, (type, path) => {
    if (path.endsWith('.year')) return 2024;
    if (path === 'sources.url') return `https://x.example/${value}`;
    return type === 'string' ? value : type === 'boolean' ? true : 0.5;
  }) as Record<string, unknown>;
const anyRecord = arbitrary(organizationSchema) as fc.Arbitrary<Record<string, unknown>>;
const lines = (...documents: unknown[]) =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');

interface Portfolio {
  readonly home: string;
  readonly old: string;
  readonly now: string;
}

/* Writes two snapshots; the second has changed and additional records. */
function portfolio(value: string, records: readonly Record<string, unknown>[]): Portfolio {
  const home = newFolder();
  const [old, now] = [join(home, 'old.ndjson'), join(home, 'now.ndjson')];
  const others = records.map((record, index) => ({
    ...record,
    id: index % 2 === 0 ? index : `${value}${index}`,
  }));
  const name = { id: 'a', name: value, performances: [{ year: 2024, emissions: { total: 7 } }] };
  writeFileSync(
    old,
    lines({ ...filled(value), id: 'a' }, { ...filled(value), id: value }, ...others),
  );
  const changed = others.map((other) => ({ ...filled(`${value}!`), id: other.id }));
  writeFileSync(now, lines(name, ...changed, { name: value, status: value }, { id: `${value}?` }));
  return { home, old, now };
}

const given = fc.tuple(text, fc.array(anyRecord, { maxLength: 3 }));
const examples = harmful.map((value) => [[value, []]] as [[string, Record<string, unknown>[]]]);

function expectSafe({ exit, stdout, stderr }: Outcome, isTerminal: boolean): void {
  for (const output of [stdout, stderr]) {
    // carbon itself writes the style sequences.
    const shown = isTerminal ? output : output.replaceAll('\t', '');
    expect(shown.split(/\r?\n/).filter((line) => unsafe.test(line))).toEqual([]);
  }
  expect(stderr).not.toMatch(/This is a bug|^Error: forged/m);
  expect([0, 2, 10]).toContain(exit);
}

async function both(
  { home, old, now }: Portfolio,
  form: readonly string[],
  world: World = {},
): Promise<Outcome[]> {
  const more = { home, ...world };
  const isIds = form.includes('-q');
  const reports = isIds ? [] : [await run(['report', old, now, ...form], more)];
  return [
    ...reports,
    await run(['diff', old, now, ...form], more),
    await run(['diff', now, old, ...form], more),
  ];
}

describe('carbon report and diff with hostile records', () => {
  it('print safe lines that fit a terminal of any width', {
    tags: ['property'],
  }, async () => {
    const width = fc.integer({ min: 40, max: 200 });
    await fc.assert(
      fc.asyncProperty(given, width, async ([value, records], terminal) => {
        for (const outcome of await both(portfolio(value, records), [], { terminal })) {
          expectSafe(outcome, true);
          const wide = outcome.stdout.split('\n').filter((line) => stringWidth(line) > terminal);
          expect(wide).toEqual([]);
          expect(outcome.stdout).not.toMatch(/NaN|undefined|\[object|native code/);
        }
      }),
      {
        numRuns: runs(30),
        examples: examples.flatMap(([one]) => [[one, 40] as never, [one, 81] as never]),
      },
    );
  });

  it.each([[[]], [['--json']], [['--csv']], [['-q']]])(
    'print safe output into a pipe with %j',
    { tags: ['property'] },
    async (form) => {
      await fc.assert(
        fc.asyncProperty(given, async ([value, records]) => {
          const inputs = portfolio(value, records);
          for (const outcome of await both(inputs, form)) {
            if (!form.includes('--json')) expectSafe(outcome, false);
            expect(outcome.stdout).not.toMatch(/\bNaN\b|\[object|native code/);
            if (form.includes('--json'))
              for (const line of outcome.stdout.trim().split('\n')) JSON.parse(line);
            if (!form.includes('--csv')) continue;
            const rows: string[][] = parse(outcome.stdout);
            const isNumber = (cell: string) => cell !== '' && Number.isFinite(Number(cell));
            expect(rows.flat().filter((cell) => formula.test(cell) && !isNumber(cell))).toEqual([]);
            expect(new Set(rows.map((row) => row.length)).size).toBe(1);
          }
          if (!form.includes('--json')) return;
          for (const outcome of await both(inputs, form, { terminal: 80 }))
            expectSafe(outcome, true);
        }),
        { numRuns: runs(20), examples },
      );
    },
  );

  it('add no markup to the page and only links to the web', {
    tags: ['property'],
  }, async () => {
    const elements = (page: string) =>
      [...page.matchAll(/<([^\s>]+)((?:\s[^<>]*)?)>/g)].map(([, tag, rest = '']) => {
        const names = rest
          .replace(/="[^"]*"/g, '')
          .trim()
          .split(/\s+/);
        return `${tag} ${names.toSorted().join(' ')}`;
      });
    const body = (page: string) =>
      page.replace(/<style>.*?<\/style>/s, '').replace(/<script>.*?<\/script>/s, '');
    const pageOf = async ({ home, old, now }: Portfolio) => {
      const out = join(home, 'p.html');
      expectSafe(await run(['report', old, now, '--out', out, '--no-progress'], { home }), false);
      return readFileSync(out, 'utf8');
    };
    const known = new Set(elements(body(await pageOf(portfolio('x', [])))));
    await fc.assert(
      fc.asyncProperty(given, async ([value, records]) => {
        const page = await pageOf(portfolio(value, records));
        expect(elements(body(page)).filter((element) => !known.has(element))).toEqual([]);
        expect(body(page)).not.toMatch(/<!--|\]\]>|\bNaN\b|\[object|native code/);
        expect(page.match(/<\/?script/g)).toHaveLength(2);
        const links = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url ?? '');
        expect(links.filter((url) => !/^(https?:\/\/|#all$|data:,$)/.test(url))).toEqual([]);
        expect(page.split('\n').filter((line) => unsafe.test(line))).toEqual([]);
      }),
      { numRuns: runs(20), examples },
    );
  });
});

/* Runs carbon report --json on a file with this content. */
async function summaryOf(content: string | Uint8Array, name = 'a.ndjson') {
  const home = newFolder();
  writeFileSync(join(home, name), content);
  const { exit, stdout, stderr } = await run(['report', join(home, name), '--json'], { home });
  return { exit, stderr, summary: stdout === '' ? undefined : JSON.parse(stdout) };
}

describe('carbon report and diff with extreme numbers', () => {
  const record = (id: number, amount: string, more = '') =>
    `{"id":${id},"name":"A","score":${amount},${more}"performances":[{"year":2024,"revenue":${amount},"revenue_currency":"EUR","emissions":{"total":${amount},"scope_1":{"total":${amount}},"scope_2":{"total":-1.7e308}}}]}\n`;

  it.each([
    ['beyond a double', '1e400'],
    ['whose sum is beyond a double', '1.7e308'],
    ['below zero beyond a double', '-1.7e308'],
    ['minus zero', '-0'],
    ['too small for a double', '1e-400'],
    ['above 2^53', '9007199254740993'],
  ])('print no Infinity or NaN when amounts are %s', async (_, amount) => {
    const home = newFolder();
    const [old, now] = [join(home, 'old.ndjson'), join(home, 'now.ndjson')];
    writeFileSync(old, record(1, '1'));
    writeFileSync(
      now,
      record(1, amount) + record(2, amount) + record(3, amount.replace(/^-?/, '-')),
    );
    const shown = [
      ...(await both({ home, old, now }, [])),
      ...(await both({ home, old, now }, ['--json'])),
      ...(await both({ home, old, now }, [], { terminal: 80 })),
    ].map(({ stdout }) => stdout);
    await run(['report', now, '--out', join(home, 'p.html')], { home });
    const page = readFileSync(join(home, 'p.html'), 'utf8').replace(/<script>.*?<\/script>/s, '');
    for (const output of [...shown, page]) expect(output).not.toMatch(/Infinity|NaN|∞/);
  });

  it('print null and count the organizations when a sum overflows', async () => {
    const { summary } = await summaryOf(record(1, '1.7e308') + record(2, '1.7e308'));
    expect(summary.emissions.years[0].scope_1).toMatchObject({ sum: null, organizations: 2 });
    expect(summary.revenue).toEqual([{ currency: 'EUR', organizations: 2, revenue: null }]);
  });
});
