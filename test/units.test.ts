/*
 * What each unit and scale is worth, as literals. A factor of ten that is wrong in one place looks
 * right everywhere else, so every place where a power of ten enters or leaves has a line here.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '../src/client/api/responses.ts';
import { readRateLimit } from '../src/client/pace/rate-limit-headers.ts';
import { readDuration } from '../src/config/settings.ts';
import {
  amountInWords,
  changeText,
  figure,
  numberFormats,
  scoreText,
} from '../src/display/terminal/figure.ts';
import { renderDuration } from '../src/display/terminal/format.ts';
import { splitAmount } from '../src/lists/table/amounts.ts';
import { serialOf } from '../src/lists/workbook/cells.ts';
import { numberOf } from '../src/portfolio/footprint/decimal.ts';
import { readNumber } from '../src/portfolio/footprint/spend/amounts.ts';
import { VirtualClock } from './support/clock.ts';
import { newFolder, run } from './support/run.ts';
import { serve, serveRegistry } from './support/server.ts';

const record = {
  id: 1,
  name: 'Acme',
  status: 'synced',
  score: 0.625,
  industry: { name: 'Steel', mean_score: 0.5 },
  industry_score_percentile: 62.5,
  performances: [
    {
      year: 2024,
      region: 'DE',
      revenue: 1_000,
      revenue_currency: 'EUR',
      emissions: {
        scope_1: { total: 1_500 },
        scope_2: { total_market_based: 500 },
        scope_3: { total: 3_000 },
        total: 5_000,
      },
      scope_1_and_2_emission_factor: 2,
      total_upstream_emission_factor: 3,
    },
  ],
};

function write(name: string, text: string): string {
  const path = join(newFolder(), name);
  writeFileSync(path, text);
  return path;
}

const records = (...all: readonly object[]) =>
  write('records.ndjson', all.map((each) => `${JSON.stringify(each)}\n`).join(''));

/* The line item of one purchase, or the error. */
async function footprint(header: string, amount: string, ...flags: readonly string[]) {
  const spend = write('spend.csv', `supplier;${header};currency;year\nAcme;${amount};EUR;2024\n`);
  const argv = ['footprint', spend, '--records', records(record), '--upstream-factor', 'additive'];
  const { exit, stdout, stderr } = await run([...argv, '--json', ...flags]);
  const item = exit === 0 ? JSON.parse(stdout.split('\n')[0] ?? '') : undefined;
  const errors = stderr.split('\n').filter((line) => line.startsWith('{"error"'));
  return { exit, item, message: errors.map((line) => JSON.parse(line).error.message).join() };
}

describe('spend and emissions of a footprint', () => {
  it.each([
    ['units', 12.5, 62.5],
    ['thousands', 12_500, 62_500],
    ['millions', 12_500_000, 62_500_000],
  ])(
    '--amounts-in %s: 12.5 is %d, and with a factor of 5, %d are emitted',
    async (scale, spend, emissions) => {
      const { item } = await footprint('amount', '12.5', '--amounts-in', scale);
      expect(item).toMatchObject({ spend, factor: 5, emissions });
    },
  );

  it.each(['kg', 't'])('--unit %s is a label and converts nothing', async (unit) => {
    const { item } = await footprint('amount', '12.5', '--unit', unit);
    expect(item).toMatchObject({ spend: 12.5, factor: 5, emissions: 62.5 });
  });

  it.each([
    "k T Tsd thsd thous thousand thousands Tausend 000 000s '000 millier milliers mila migliaia",
    'miles mil tys 千 TEUR kEUR k€ k$ T€ 千円',
    'M m mm MN mln Mio mill million millions Millionen millones millón milione milioni milhões mdp',
    '百万 百萬 MEUR mEUR m€ M$ MioEUR mnEUR 百万円',
    'lakh lakhs lac lacs crore crores cr 万 萬 亿 億 十亿 十億 万元 億円',
    'b bn bln billion billions Mrd Mia md Milliarde Milliarden milliard milliards miliardi bn€',
  ])('a header with one of these scales asks for --amounts-in: %s', async (scales) => {
    for (const scale of scales.split(' ')) {
      const { exit, message } = await footprint(`Spend (${scale})`, '12.5');
      expect({ scale, exit, message }).toEqual({
        scale,
        exit: 2,
        message: `The header "Spend (${scale})" contains a scale: "${scale}"`,
      });
    }
    const { item } = await footprint(
      `Spend (${scales.split(' ')[0]})`,
      '12.5',
      '--amounts-in',
      'thousands',
    );
    expect(item).toMatchObject({ spend: 12_500 });
  });

  it.each([
    ['1234', '.', 1_234],
    ['1,234', '.', 1_234],
    ['1,234,567.8', '.', 1_234_567.8],
    ['12,34,567', '.', 1_234_567],
    ["1'234.50", '.', 1_234.5],
    ['1.234', ',', 1_234],
    ['1.234,5', ',', 1_234.5],
    ['1 234,56', ',', 1_234.56],
    ['0,001', ',', 0.001],
    ['1.5E3', '.', 1_500],
    ['1,5E6', ',', 1_500_000],
    ['2E-3', '.', 0.002],
  ] as const)('the amount %s with the decimal sign %s is %d', (text, sign, value) => {
    const amount = splitAmount(text);
    if (typeof amount !== 'object') throw new Error('no amount');
    const number = readNumber(amount, sign);
    expect(number && numberOf(number)).toBe(value);
  });
});

describe('factor × revenue and emissions', () => {
  const withFactor = (factor: number) => {
    const [performance] = record.performances;
    return { ...record, performances: [{ ...performance, scope_1_and_2_emission_factor: factor }] };
  };

  it.each([
    [2, false],
    [2e-6, true],
    [2e-3, true],
    [2e-2, false],
    [2e-1, false],
    [2e1, false],
    [2e2, false],
    [2e3, true],
    [2e6, true],
  ])('factor %d instead of 2 is an error of units: %s', async (factor, isUnit) => {
    const { stdout } = await run(['check', records(withFactor(factor)), '--json']);
    const rules = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).rule);
    expect(rules.includes('unit')).toBe(isUnit);
  });

  it.each([
    [5e-6, '0.000001'],
    [5e-3, '0.001'],
    [5e3, '1,000'],
    [5e6, '1,000,000'],
    [5e-2, undefined],
    [5e-1, undefined],
    [5, undefined],
    [5e1, undefined],
    [5e2, undefined],
  ])('a portfolio with factors of %d instead of 5 stops a footprint: %s', async (factor, times) => {
    const spend = write('spend.csv', 'supplier,amount,currency,year\nAcme,1,EUR,2024\n');
    const performances = [{ ...record.performances[0], emission_factor: factor }];
    const [first, second] = [
      { ...record, performances },
      { ...record, id: 2, name: 'Borg', performances },
    ];
    const argv = ['footprint', spend, '--records', records(first, second)];
    const { exit, stderr } = await run([...argv, '--upstream-factor', 'additive']);
    expect([exit, /revenue is (\S+) times the emissions/.exec(stderr)?.[1]]).toEqual([
      times === undefined ? 0 : 2,
      times,
    ]);
  });
});

describe('figures in output', () => {
  it.each([
    [0.5, '0.5', '0.5', '0.5'],
    [999, '999', '999', '999'],
    [1_000, '1,000', '1.00K', '1,000'],
    [12_345, '12,345', '12.3K', '12,345'],
    [4_940_000, '4,940,000', '4.94M', '4.94 million'],
    [7_250_000_000, '7,250,000,000', '7.25B', '7.25 billion'],
    [3_000_000_000_000, '3,000,000,000,000', '3.00T', '3 trillion'],
  ])('%d is %s, %s, and %s in words', (value, exact, compact, words) => {
    const shown = figure(value);
    expect([shown.exact, shown.compact, amountInWords(value)]).toEqual([exact, compact, words]);
    expect(shown.plain).toBe(String(value));
  });

  it('a share is in percent, and a score from 0 to 100', () => {
    expect([numberFormats.share(0.125), changeText(0.125), changeText(-2)]).toEqual([
      '12.5%',
      '+12.5%',
      '−200.0%',
    ]);
    expect([scoreText(0.625), scoreText(1), scoreText(0.07)]).toEqual(['62.5', '100', '7']);
  });

  it('tables have scores from 0 to 100, and percentiles and emissions as they are', async () => {
    const names =
      'score,industry.mean_score,industry_score_percentile,scope_1,scope_2,scope_3,total';
    const argv = ['list', records(record), '--csv', '--columns', names];
    const { stdout } = await run(argv);
    expect(stdout).toMatch(/^62\.5,50,62\.5,1500,500,3000,5000\b/m);
  });

  it.each([[], ['--unit', 'kg'], ['--unit', 't']])(
    'a report has the emissions of the records with %j %j',
    async (...flags) => {
      const { stdout } = await run(['report', records(record), '--json', ...flags]);
      const { score, emissions } = JSON.parse(stdout);
      expect(score).toMatchObject({ median: 0.625 });
      expect(emissions.years).toMatchObject([
        { scope_1: { sum: 1_500 }, scope_2: { sum: 500 }, scope_1_and_2: { sum: 2_000 } },
      ]);
    },
  );
});

describe('scores and times of commands', () => {
  it('diff and the report page show scores from 0 to 100', async () => {
    const [old, now] = [records(record), records({ ...record, score: 0.725 })];
    const { stdout } = await run(['diff', old, now, '--csv']);
    expect(stdout).toMatch(/,score,.*\b62\.5,72\.5\b/);
    const page = join(newFolder(), 'report.html');
    expect((await run(['report', old, '-o', page])).exit).toBe(0);
    expect(readFileSync(page, 'utf8')).toMatch(/Score[\s\S]*<td[^>]*>62\.5</);
  });

  it('messages have waits and limits in seconds', async () => {
    const { env } = await serve({ status: 503, json: {} });
    const clock = new VirtualClock();
    const { stderr } = await run(['get', '7'], { env, clock, terminal: 80 });
    expect(stderr).toMatch(/; retrying in 2 s/);
    expect(clock.elapsed()).toBe(3_500);
    const silent = new VirtualClock();
    const silence = await serve(() => silent.letGo());
    const limit = { ...silence.env, CARBON_HTTP_TIMEOUT: '20s' };
    const timedOut = await run(['get', '7'], { env: limit, clock: silent });
    expect(timedOut.stderr).toContain('did not respond within 20 s');
    expect(silent.elapsed()).toBe(4 * 20_000 + 3_500);
  });

  it('--rate counts requests in a second', async () => {
    const { env } = await serveRegistry();
    const list = write('list.csv', 'name\nAcme\nBorg\nCyber\nDee\nEureka\n');
    const clock = new VirtualClock();
    const argv = ['batch', list, '--rate', '2', '--concurrency', '1'];
    expect((await run(argv, { env, clock })).exit).toBe(0);
    expect(clock.elapsed()).toBeGreaterThanOrEqual(1_500);
    expect(clock.elapsed()).toBeLessThan(4_000);
  });

  it('metrics have times in seconds since 1970', async () => {
    const file = join(newFolder(), 'carbon.prom');
    const list = write('list.csv', 'name\nAcme\n');
    const { env } = await serveRegistry();
    await run(['batch', list, '--metrics-file', file], { env });
    const [, time] =
      /^carbon_last_run_timestamp_seconds\S* (\d+)/m.exec(readFileSync(file, 'utf8')) ?? [];
    expect(Number(time)).toBe(Date.UTC(2026, 0, 15, 9, 30) / 1_000);
  });

  it.each([
    ['2026-01-15T00:00:00Z', 46_037],
    ['2026-01-15T12:00:00Z', 46_037.5],
  ])('the time %s is the day %d of a workbook', (time, serial) => {
    expect(serialOf(new Date(time))).toBe(serial);
  });
});

describe('durations', () => {
  it.each([
    ['0', 0],
    ['500ms', 500],
    ['1s', 1_000],
    ['1m', 60_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1_500],
  ])('%s is %d ms', (text, ms) => {
    expect(readDuration(text, '--timeout')).toBe(ms);
  });

  it.each([
    [999, '0 s'],
    [1_000, '1 s'],
    [60_000, '1 min'],
    [125_000, '2 min 5 s'],
    [3_600_000, '1 h'],
    [3_780_000, '1 h 3 min'],
    [86_400_000, '1 d'],
    [183_600_000, '2 d 3 h'],
  ])('%d ms are %s', (ms, text) => {
    expect(renderDuration(ms)).toBe(text);
  });

  const now = Date.UTC(2026, 0, 15, 9, 30);
  it.each([
    ['0', 0],
    ['2', 2_000],
    ['120', 120_000],
    ['Thu, 15 Jan 2026 09:31:00 GMT', 60_000],
  ])('Retry-After: %s is %d ms', (text, ms) => {
    expect(readRetryAfter(text, now)).toBe(ms);
  });

  it.each([
    ['30', 30_000],
    [String(now / 1_000 + 30), 30_000],
    [String(now + 30_000), 30_000],
  ])('RateLimit-Reset: %s is %d ms', (reset, resetMs) => {
    const headers = {
      'ratelimit-limit': '100',
      'ratelimit-policy': '100;w=60',
      'ratelimit-remaining': '7',
      'ratelimit-reset': reset,
    };
    expect(readRateLimit(headers, now)).toMatchObject({
      quota: 100,
      windowMs: 60_000,
      remaining: 7,
      resetMs,
    });
  });
});
