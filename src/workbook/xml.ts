/*
 * Parses the XML parts of a workbook as a stream. Workbooks never need a document type, so none is
 * accepted: without it, no entity expands and no other file is read.
 */
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import type { Archive } from './archive.ts';
import { damaged } from './foreign-format.ts';

/** Receives the content of a part. Names have no namespace prefix. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/* Workbooks nest elements about ten deep. */
const maxDepth = 100;
/* Bounds the memory for one text or tag. A cell holds at most 32,767 characters. */
const maxRunLength = 4 * 1024 * 1024;
/* Small pieces bound what a handler collects between two of them. */
const pieceLength = 16 * 1024;

/**
 * Parses a part and passes its content to a handler. Yields after each piece of the text, so that
 * the caller can hand on what the handler collected.
 *
 * @throws UsageError for text that is not well-formed, and for a document type
 */
export async function* parseXml(
  archive: Archive,
  part: string,
  handler: XmlHandler,
): AsyncGenerator<void, void, void> {
  const fail = (why: string) => damaged(archive.name, `${part}: ${why}`);
  const parser = new SaxesParser();
  let depth = 0;
  let events = 0;
  parser.on('doctype', () => {
    throw fail('it has a document type, which workbooks do not allow');
  });
  parser.on('opentag', ({ name, attributes }) => {
    events += 1;
    depth += 1;
    if (depth > maxDepth) throw fail(`elements are nested more than ${maxDepth} deep`);
    handler.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    handler.close?.(localName(name));
  });
  const text = (content: string) => {
    events += 1;
    handler.text?.(content);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('error', ({ message }) => {
    throw fail(message);
  });
  let quietLength = 0;
  for await (const content of decodeXml(archive, part)) {
    for (let start = 0; start < content.length; start += pieceLength) {
      const before = events;
      const piece = content.slice(start, start + pieceLength);
      parser.write(piece);
      quietLength = events === before ? quietLength + piece.length : 0;
      if (quietLength > maxRunLength)
        throw fail('a text or tag is longer than four million characters');
      yield;
    }
  }
  parser.close();
}

/** Parses a complete part that holds little content. */
export async function readXml(archive: Archive, part: string, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(archive, part, handler));
}

/* XML is UTF-8 or has a byte order mark (XML 1.0, 4.3.3). */
async function* decodeXml(archive: Archive, part: string): AsyncGenerator<string, void, void> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const bytes of archive.bytes(part)) {
      decoder ??= new TextDecoder(utf16(bytes) ?? 'utf-8', { fatal: true });
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder?.decode() ?? '';
  } catch (error) {
    if (error instanceof TypeError) throw damaged(archive.name, `${part} is not Unicode text`);
    throw error;
  }
}

function utf16([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}
