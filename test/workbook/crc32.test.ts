import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32, portableCrc32 } from '../../src/workbook/archive.ts';
import { runs } from '../support/seed.ts';

describe('crc32', () => {
  it('computes the check value of the catalog of CRC algorithms', () => {
    for (const compute of [crc32, portableCrc32])
      expect(compute(Buffer.from('123456789'), 0)).toBe(0xcbf43926);
  });

  it('computes the same checksum without the native function, in pieces too', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (first, second) => {
        const expected = zlib.crc32(Buffer.concat([first, second]));
        expect(portableCrc32(second, portableCrc32(first, 0))).toBe(expected);
      }),
      { numRuns: runs(200) },
    );
  });
});
