/*
 * Finds rows that an earlier run registered although it read their cells differently: the key of
 * the former reading counts as well, so that no better reading registers a row again.
 */
import { TextDecoder } from 'node:util';
import { codePageDecoder, type Decoder } from '../table/code-pages.ts';
import type { Values } from './rows.ts';

/** Returns the cells of a row in each other way that an earlier run may have read them. */
export type FormerCells = (cells: readonly string[]) => readonly (readonly string[])[];

const beyondAscii = /[^\0-\x7f]/;

/**
 * Returns how to read cells as a run with another encoding did: it saw the same bytes.
 * @param encoding that of the cells; undefined for UTF-8
 * @param others those that earlier runs may have used
 */
export function inOtherEncodings(
  encoding: string | undefined,
  others: readonly string[],
): FormerCells {
  const own = decoderOf(encoding ?? 'utf-8');
  const decoders = new Map<string, Decoder>();
  for (const label of others) {
    const decoder = decoderOf(label);
    if (decoder !== undefined && decoder.encoding !== own?.encoding)
      decoders.set(decoder.encoding, decoder);
  }
  let encode: ((cell: string) => Buffer | undefined) | undefined;
  return (cells) => {
    if (own === undefined || decoders.size === 0) return [];
    if (!cells.some((cell) => beyondAscii.test(cell))) return [];
    encode ??= encoderOf(own);
    const bytes = cells.map(encode);
    if (!bytes.every((each) => each !== undefined)) return [];
    return [...decoders.values()]
      .map((decoder) => bytes.map((each) => decode(decoder, each)))
      .filter((texts) => texts.every((text) => text !== undefined));
  };
}

function decoderOf(label: string): Decoder | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true });
  } catch {
    return codePageDecoder(label);
  }
}

/*
 * Decodes bytes; returns undefined if they are not text. Streaming keeps Node 20 from taking
 * windows-1252 for Latin-1.
 */
function decode(decoder: Decoder, bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch {
    return undefined;
  }
}

/* Encodes UTF-8, and encodings with one byte for each character. */
function encoderOf(decoder: Decoder): (cell: string) => Buffer | undefined {
  if (decoder.encoding === 'utf-8') return (cell) => Buffer.from(cell);
  const byteOf = new Map<string, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    const character = decode(decoder, Buffer.from([byte]));
    if (character?.length === 1) byteOf.set(character, byte);
  }
  return (cell) => {
    const bytes = [...cell].map((character) => byteOf.get(character));
    return bytes.every((byte) => byte !== undefined) ? Buffer.from(bytes) : undefined;
  };
}

/**
 * Returns the key of a row: its own, unless only its former reading was registered.
 * @param keyOf computes the key of values
 * @param formers the values of former readings; called only if they matter
 */
export function chooseKey(
  keyOf: (values: Values) => string,
  values: Values,
  formers: () => readonly Values[],
  wasRegistered: (key: string) => boolean,
): string {
  const own = keyOf(values);
  if (wasRegistered(own)) return own;
  return formers().map(keyOf).find(wasRegistered) ?? own;
}
