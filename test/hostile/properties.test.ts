/*
 * Properties that hold for any input. Further properties are in the tests of each format.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RefusedError } from '../../src/api/errors.ts';
import { readRecord } from '../../src/api/read-record.ts';
import { readRetryAfter } from '../../src/api/retry.ts';
import {
  parseLine,
  readRefusal,
  refusedLine,
  registeredLine,
} from '../../src/batch/journal/format.ts';
import { Journals } from '../../src/batch/journal/journals.ts';
import { errorObject } from '../../src/cli/errors.ts';
import { compactJson, escapeForTerminal, indentJson } from '../../src/cli/output/json.ts';
import { renderOrganization } from '../../src/cli/output/organization.ts';
import { renderCsvRow } from '../../src/cli/output/record-tables.ts';
import { renderOrganizations } from '../../src/cli/output/table.ts';
import type { PacingOutcome, Ticket } from '../../src/pace/pacer.ts';
import { Pacer } from '../../src/pace/pacer.ts';
import { readRateLimit } from '../../src/pace/rate-limit-headers.ts';
import { guardCell } from '../../src/table/output-cell.ts';
import { plainStyle } from '../../src/terminal/style.ts';
import { hostileText } from '../cli/output/schema.ts';
import { newFolder } from '../support/run.ts';
import { runs } from '../support/seed.ts';

const fields = [
  ...[
    'id',
    'name',
    'status',
    'score',
    'performances',
    'sbti',
    'cdp',
    'sources',
    'industry',
    'matching_organization',
    'un',
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length'],
];
const number = fc.oneof(
  fc.constantFrom(2 ** 53, 2 ** 53 + 2, -0, 1e308, 5e-324, -1),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium' },
    fc.constant(null),
    fc.boolean(),
    number,
    hostileText,
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('json'), { maxLength: 4 }),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...fields), hostileText), tie('json'), {
    maxKeys: 6,
    noNullPrototype: true,
  }),
}));
/* JSON text as a service sends it, in which __proto__ is an ordinary key. */
const sent = fc
  .dictionary(fc.constantFrom(...fields), json, { maxKeys: 9 })
  .map((value) => JSON.parse(JSON.stringify(value)));

it('readRecord and renderers accept any JSON object and change neither it nor a prototype', {
  tags: ['property'],
}, () => {
  fc.assert(
    fc.property(sent, fc.integer({ min: 0, max: 120 }), (value, columns) => {
      const before = JSON.stringify(value);
      const { record } = readRecord(value);
      for (const terminal of [true, false]) {
        const view = { style: plainStyle, columns, terminal, synthetic: false };
        const shown =
          renderOrganization(record, view) +
          renderOrganizations([record], view) +
          renderCsvRow(record);
        expect(shown).not.toMatch(/\[object Object\]/);
      }
      expect(JSON.stringify(value)).toBe(before);
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: runs(200) },
  );
});

it('readRecord accepts 100,000 nested lists in any field', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  for (const field of ['id', 'performances', 'sbti', 'unknown']) {
    const text = `{"${field}":${deep}}`;
    expect(readRecord(JSON.parse(text)).record).toBeTypeOf('object');
    expect(compactJson(text)).toBe(text);
    expect(indentJson(escapeForTerminal(text)).length).toBeLessThan(100 * text.length);
  }
});

const text = fc.option(hostileText, { nil: undefined });

it('parseLine reads every written line and rejects truncated ones', {
  tags: ['property'],
}, () => {
  const id = fc.oneof(fc.nat(), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), hostileText);
  fc.assert(
    fc.property(
      id,
      text,
      fc.nat(),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (id, status, line, cut) => {
        const key = '0123456789abcdef'.repeat(2);
        const bytes = Buffer.from(registeredLine({ key, line, id, status }, 1_768_469_400_000));
        expect(bytes.indexOf(10)).toBe(bytes.length - 1);
        const isUsable = typeof id === 'number' || /^\d{1,20}$/.test(id);
        expect(parseLine(bytes.toString())).toEqual(
          isUsable ? { kind: 'row', key, id } : undefined,
        );
        const short = bytes.subarray(0, 1 + Math.floor(cut * (bytes.length - 2)));
        expect(parseLine(short.toString())).toBeUndefined();
      },
    ),
    { numRuns: runs(300) },
  );
});

it('readRefusal restores the error of every written refusal', { tags: ['property'] }, () => {
  fc.assert(
    fc.property(hostileText, text, text, (message, title, detail) => {
      const error = new RefusedError(message, { status: 422, title, detail });
      const line = refusedLine('0'.repeat(32), 2, error, 0);
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(errorObject(readRefusal({ refusal: line }))).toEqual(errorObject(error));
    }),
  );
});

it('Journals.read throws nothing but a UsageError for a journal of any bytes', {
  tags: ['property'],
}, async () => {
  const header =
    '{"carbon":"journal","version":1,"keys":1,"service":"s","profile":"p","mapping":{}}\n';
  const path = join(newFolder(), 'j.jsonl');
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, isHeaded) => {
      writeFileSync(path, Buffer.concat([Buffer.from(isHeaded ? header : ''), bytes]));
      const memory = new Journals({ service: 's', profile: 'p' }, undefined);
      const failure = await memory.read(path).catch((error: unknown) => error);
      if (failure !== undefined) expect(failure).toMatchObject({ name: 'UsageError' });
      if (isHeaded) expect(failure).toBeUndefined();
    }),
  );
});

it('readRetryAfter returns a finite time for any header', { tags: ['property'] }, () => {
  const value = fc.oneof(
    hostileText,
    fc.bigInt().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  );
  fc.assert(
    fc.property(value, (given) => {
      const ms = readRetryAfter(given, Date.UTC(2026, 0, 15)) ?? 0;
      expect(ms >= 0 && Number.isFinite(ms)).toBe(true);
    }),
  );
});

const amount = fc.oneof(
  fc.constantFrom('0', '1', '0.001', '1e9', '-1', '999999999999999'),
  fc.nat(4_000).map(String),
);
const rateLimit = fc
  .record({ q: amount, w: amount, r: amount, t: amount })
  .map(({ q, w, r, t }) =>
    readRateLimit({ 'ratelimit-policy': `"a";q=${q};w=${w}`, ratelimit: `"a";r=${r};t=${t}` }, 0),
  );

it('Pacer limits requests in flight and always permits a next one, for any responses', {
  tags: ['property'],
}, () => {
  const wait = fc.constantFrom(undefined, 0, 1, 1e3, 1e9, 2 ** 31 * 1e3);
  const kind = fc.constantFrom('accepted', 'refused', 'failed');
  const outcome = fc.record({
    kind,
    retryAfterMs: wait,
    limit: rateLimit,
  }) as fc.Arbitrary<PacingOutcome>;
  const responses = fc.array(fc.tuple(outcome, fc.nat(100_000)), { maxLength: 60 });
  fc.assert(
    fc.property(responses, fc.integer({ min: 1, max: 20 }), (received, concurrency) => {
      const pacer = new Pacer({ concurrency });
      const inFlight: Ticket[] = [];
      let now = 0;
      for (const [response, ms] of received) {
        now += ms;
        const delay = pacer.delay(now);
        expect(delay).not.toBeNaN();
        if (delay <= 0) inFlight.push(pacer.sent(now));
        // With nothing in flight, only time can delay a request, unless a quota ends the run.
        // Responses arrive 1 ms after the call of delay, and the maximum wait starts then.
        else if (inFlight.length === 0 && !pacer.exhausted)
          expect(delay).toBeLessThanOrEqual(2 ** 31 * 1e3 + 1);
        expect(inFlight.length).toBeLessThanOrEqual(concurrency);
        const ticket = inFlight.shift();
        if (ticket !== undefined) pacer.responded(ticket, now + 1, response);
      }
    }),
    { numRuns: runs(300) },
  );
});

it('guardCell makes no cell a formula and keeps plain text', { tags: ['property'] }, () => {
  fc.assert(
    fc.property(hostileText, (value) => {
      expect(guardCell(value)).not.toMatch(/^\s*[=+\-@＝＋－＠]/u);
      if (/^[A-Za-z0-9 ]*$/.test(value)) expect(guardCell(value)).toBe(value);
    }),
  );
});
