/* The checksum of zip archives (APPNOTE 4.4.7). Node 21 and 22.0 have no `zlib.crc32`. */
import * as zlib from 'node:zlib';

let table: Uint32Array | undefined;

/** Continues the checksum of earlier bytes, which begins with 0. */
export function crc32(bytes: Uint8Array, checksum: number): number {
  const native = (zlib as { crc32?: typeof zlib.crc32 }).crc32;
  return native === undefined ? portableCrc32(bytes, checksum) : native(bytes, checksum);
}

/** Computes the same checksum without the native function. */
export function portableCrc32(bytes: Uint8Array, checksum: number): number {
  table ??= createTable();
  let crc = ~checksum;
  for (const byte of bytes) crc = (table[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

function createTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1)
      value = (value & 1) === 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
  });
}
