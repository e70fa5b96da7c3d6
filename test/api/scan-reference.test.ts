import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject, readReference } from '../../src/api/ids.ts';
import { isErrorStatus } from '../../src/api/responses.ts';
import { type ScannedReference, scanReference } from '../../src/api/scan-reference.ts';
import { runs } from '../support/seed.ts';

function scan(text: string): ScannedReference | undefined {
  return scanReference({ status: 200, headers: {}, body: Buffer.from(text) });
}

/* What JSON.parse reads from an object with a usable id and no error status. */
function parse(text: string): Omit<ScannedReference, 'isCompact'> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { id, status } = readReference(value);
  if (typeof value['status'] === 'number' || isErrorStatus(value['status'])) return undefined;
  return id === undefined ? undefined : { id, status };
}

const id = fc.oneof(
  fc.nat().map(String),
  fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String),
  fc.bigInt({ min: 0n, max: 10n ** 21n }).map((number) => `"${number}"`),
  fc.constantFrom('0', '00', '-0', '1.0', '1e2', '9007199254740991', '9007199254740993', '"x"'),
  fc.json(),
);
const status = fc.oneof(
  fc.constantFrom('"created"', '"synced"', '"\\u0073ynced"', '"é"', '"Ã©"', '"404"', '404'),
  fc.json(),
);
const space = fc.stringMatching(/^[ \t\n\r]{0,2}$/);
const member = fc.oneof(
  id.map((json) => ['"id"', json]),
  status.map((json) => ['"status"', json]),
  fc.tuple(
    fc.string().map((name) => JSON.stringify(name)),
    fc.json(),
  ),
);
const text = fc
  .array(fc.tuple(member, space, space), { maxLength: 5 })
  .map((members) => members.map(([[name, json], a, b]) => `${a}${name}${b}:${a}${json}${b}`))
  .map((members) => `{${members.join(',')}}`);

describe('scanReference', () => {
  it('reads the id and the status that JSON.parse reads', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (texts) => {
        // The scanner remembers the status of the text before.
        for (const one of texts) {
          const { isCompact: _, ...reference } = scan(one) ?? { id: undefined, isCompact: false };
          if (reference.id !== undefined) expect(reference).toEqual(parse(one));
        }
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('reads every record whose names have no escapes and whose id is an integer', {
    tags: ['property'],
  }, () => {
    fc.assert(
      fc.property(
        fc.nat(),
        status,
        fc.jsonValue({ maxDepth: 4 }),
        space,
        (id, status, value, a) => {
          const text = `${a}{${a}"id"${a}:${id},"status":${status},"a":${JSON.stringify(value)}}${a}`;
          const expected = parse(text);
          // The second time, the scanner knows the status.
          for (let scans = 0; scans < 2; scans += 1)
            expect(scan(text)).toEqual(expected && { ...expected, isCompact: a === '' });
        },
      ),
      { numRuns: runs(1_000) },
    );
  });

  it.each([
    ['{"id":12,"status":"synced"}', { id: 12, status: 'synced', isCompact: true }],
    ['{"id":"0012","status":null}', { id: '0012', status: undefined, isCompact: true }],
    ['{"id":1,"id":2,"name":"a b"}\n', { id: 2, status: undefined, isCompact: false }],
    ['{"id":9007199254740991}', { id: 9007199254740991, status: undefined, isCompact: true }],
    ['{"id":9007199254740993}', undefined],
    ['{"id":1.0}', undefined],
    ['{"id":1e2}', undefined],
    ['{"id":1,"status":404}', undefined],
    ['{"id":1,"status":"404"}', undefined],
    ['{"id":1,"status":"synced"', undefined],
    ['{"status":"synced"}', undefined],
  ])('reads %s as %j', (text, expected) => {
    expect(scan(text)).toEqual(expected);
  });

  it('reads no record from a status other than 200 or from bytes that are not UTF-8', () => {
    const body = Buffer.from('{"id":1,"name":"\xe9"}', 'latin1');
    expect(scanReference({ status: 200, headers: {}, body })).toBeUndefined();
    expect(scanReference({ status: 201, headers: {}, body: Buffer.from('{"id":1}') })).toBe(
      undefined,
    );
  });
});
