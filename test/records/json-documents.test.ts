import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indentJson } from '../../src/cli/output/json.ts';
import { DocumentReader, type JsonDocument, utf8Of } from '../../src/records/json-documents.ts';
import { file } from '../report/inputs.ts';
import { runs } from '../support/seed.ts';

async function readDocuments(
  ...args: Parameters<typeof file>
): Promise<(JsonDocument | { truncatedAt: number })[]> {
  const { name, bytes } = file(...args);
  const reader = new DocumentReader(name);
  const found: JsonDocument[] = [];
  try {
    for await (const chunk of utf8Of(bytes)) found.push(...reader.push(chunk));
  } catch (error) {
    throw reader.explain(error);
  }
  found.push(...reader.end());
  const { truncatedAt } = reader;
  return truncatedAt === undefined ? found : [...found, { truncatedAt }];
}

async function read(...args: Parameters<typeof file>): Promise<unknown[]> {
  const found = await readDocuments(...args);
  return found.map((document) => {
    const { text: _, ...rest } = { text: undefined, ...document };
    return rest;
  });
}

describe('DocumentReader', () => {
  it('has the text of each value, in a list too', { tags: ['property'] }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1 }), async (values) => {
        for (const json of [JSON.stringify(values), JSON.stringify(values, null, 2)]) {
          const texts: unknown[] = [];
          for (const document of await readDocuments(json))
            if ('text' in document) texts.push(JSON.parse(document.text()));
          expect(texts).toEqual(JSON.parse(json));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('reads a document a line, skips blank lines and a byte order mark, and knows the lines', async () => {
    expect(await read('\ufeff{"id":1}\r\n\n  {"id":2}\n')).toEqual([
      { line: 1, value: { id: 1 } },
      { line: 3, value: { id: 2 } },
    ]);
  });

  it('needs no line break at the end', async () => {
    expect(await read('{"id":1}')).toEqual([{ line: 1, value: { id: 1 } }]);
  });

  it('reads a document as a formatter writes it, and lists item by item', async () => {
    const pretty = indentJson('{"id":1,"cdp":{"url":"{"}}');
    expect(
      await read(`${pretty}\n${pretty}\n[{"id":2},{"id":3}]\n[\n  {"id":4}\n]\n`),
    ).toMatchObject([
      { line: 1, value: { id: 1 } },
      { line: 7, value: { id: 1 } },
      { line: 13, value: { id: 2 } },
      { line: 13, value: { id: 3 } },
      { line: 14, value: { id: 4 } },
    ]);
  });

  it('reads UTF-16, as shells of Windows write it', async () => {
    expect(await read(Buffer.from('\ufeff{"name":"Öl"}\r\n', 'utf16le'))).toEqual([
      { line: 1, value: { name: 'Öl' } },
    ]);
  });

  it('removes a byte order mark from any chunks', async () => {
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const bytes = Buffer.from('\ufeff{"name":"\ufeffÖl"}\n{"id":2}\n', encoding);
      const cut = encoding === 'utf8' ? 1 : 3;
      expect(await read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([
        { line: 1, value: { name: '\ufeffÖl' } },
        { line: 2, value: { id: 2 } },
      ]);
    }
  });

  it('names the line of invalid JSON', async () => {
    await expect(read('{"id":1}\n{"id":2\n{"id":3}\n', 'b.ndjson')).rejects.toThrow(
      'b.ndjson, line 2 is not JSON',
    );
    await expect(read('{\n  "id": 1,\n}\n{"id":3}\n')).rejects.toThrow(
      'a.ndjson, line 1 is not JSON',
    );
  });

  it('names CSV with a header line', async () => {
    const error = 'a.ndjson looks like CSV, not JSON';
    await expect(read('id,name\n1,Acme\n')).rejects.toThrow(error);
    await expect(read('"id";"name"\n1;Acme\n')).rejects.toThrow(error);
    await expect(read('{"id":1}\nid,name\n')).rejects.toThrow('a.ndjson, line 2 is not JSON');
  });

  it('reports a truncated last line', async () => {
    expect(await read('{"id":1}\n{"id":2,"na')).toEqual([
      { line: 1, value: { id: 1 } },
      { truncatedAt: 2 },
    ]);
    expect(await read('{\n  "id": 1,\n')).toEqual([{ truncatedAt: 1 }]);
  });

  it('rejects invalid UTF-8', async () => {
    await expect(read(Uint8Array.of(0x22, 0xff, 0x22))).rejects.toThrow(
      'a.ndjson is not UTF-8 text',
    );
  });

  it('rejects a line that is too long', async () => {
    const piece = 'x'.repeat(1 << 24);
    await expect(read([piece, piece, piece, piece, piece])).rejects.toThrow(
      'line 1 is longer than 64 MiB',
    );
  });

  it('reads the same documents from any chunks', { tags: ['property'] }, async () => {
    const values = fc.array(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.constant({})), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(
        values,
        fc.boolean(),
        fc.array(fc.nat(400)),
        async (given, isPretty, cuts) => {
          const written = given.map((value) =>
            isPretty ? indentJson(JSON.stringify(value)) : JSON.stringify(value),
          );
          const bytes = Buffer.from(written.map((text) => `${text}\n`).join(''));
          const ends = [...cuts.sort((a, b) => a - b), bytes.length];
          const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
          const found = await read(pieces);
          expect(found.map((one) => (one as { value: unknown }).value)).toEqual(
            given.map((value) => JSON.parse(JSON.stringify(value))),
          );
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
