import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indentJson } from '../../src/cli/output/json.ts';
import { DocumentReader, type JsonDocument, utf8Of } from '../../src/records/json-documents.ts';
import { file } from '../report/inputs.ts';
import { runs } from '../support/seed.ts';

async function readDocuments(
  ...args: Parameters<typeof file>
): Promise<(JsonDocument | { truncatedAt: number })[]> {
  const given = file(...args);
  const reader = new DocumentReader(given.name);
  const found: JsonDocument[] = [];
  for await (const chunk of utf8Of(given)) found.push(...reader.push(chunk));
  found.push(...reader.end());
  const { truncatedAt } = reader;
  return truncatedAt === undefined ? found : [...found, { truncatedAt }];
}

const pretty = indentJson('{"id":1,"cdp":{"url":"{"}}');

describe('DocumentReader', () => {
  it('has the text of each value, in a list too', { tags: ['property'] }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1 }), async (values) => {
        for (const json of [JSON.stringify(values), JSON.stringify(values, null, 2)]) {
          const found = (await readDocuments(json)) as JsonDocument[];
          expect(found.map(({ text }) => JSON.parse(text()))).toEqual(JSON.parse(json));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it.each<[what: string, input: Parameters<typeof file>[0], found: unknown[]]>([
    [
      'a document a line, without blank lines and a byte order mark',
      '\ufeff{"id":1}\r\n\n  {"id":2}\n',
      [
        { line: 1, value: { id: 1 } },
        { line: 3, value: { id: 2 } },
      ],
    ],
    ['a last line without a line break', '{"id":1}', [{ line: 1, value: { id: 1 } }]],
    [
      'documents as a formatter writes them, and lists item by item',
      `${pretty}\n${pretty}\n[{"id":2},{"id":3}]\n[\n  {"id":4}\n]\n`,
      [
        { line: 1, value: { id: 1 } },
        { line: 7, value: { id: 1 } },
        { line: 13, value: { id: 2 } },
        { line: 13, value: { id: 3 } },
        { line: 14, value: { id: 4 } },
      ],
    ],
    [
      'nothing of a truncated last line',
      '{"id":1}\n{"id":2,"na',
      [{ line: 1, value: { id: 1 } }, { truncatedAt: 2 }],
    ],
    ['nothing of a truncated document', '{\n  "id": 1,\n', [{ truncatedAt: 1 }]],
  ])('reads %s', async (_, input, found) =>
    expect(await readDocuments(input)).toMatchObject(found),
  );

  it.each(['utf8', 'utf16le'] as const)(
    'reads %s with a byte order mark from any chunks',
    async (encoding) => {
      const bytes = Buffer.from('\ufeff{"name":"\ufeffÖl"}\r\n{"id":2}\n', encoding);
      const cut = encoding === 'utf8' ? 1 : 3;
      expect(await readDocuments([bytes.subarray(0, cut), bytes.subarray(cut)])).toMatchObject([
        { line: 1, value: { name: '\ufeffÖl' } },
        { line: 2, value: { id: 2 } },
      ]);
    },
  );

  it.each([
    ['{"id":1}\n{"id":2\n{"id":3}\n', 'b.ndjson, line 2 is not JSON'],
    ['{\n  "id": 1,\n}\n{"id":3}\n', 'b.ndjson, line 1 is not JSON'],
    ['id,name\n1,Acme\n', 'b.ndjson, line 1 is not JSON'],
    ['{"id":1}\nid,name\n', 'b.ndjson, line 2 is not JSON'],
    [Uint8Array.of(0x22, 0xff, 0x22), 'b.ndjson is not UTF-8 text'],
  ])('rejects invalid input, and names its line: %#', async (input, error) => {
    await expect(readDocuments(input, 'b.ndjson')).rejects.toThrow(error);
  });

  it('rejects a document that is too long', { tags: ['long'] }, async () => {
    const input = Array<string>(5).fill('x'.repeat(1 << 24));
    await expect(readDocuments(input)).rejects.toThrow('line 1 is longer than 64 MiB');
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
          const found = (await readDocuments(pieces)) as JsonDocument[];
          expect(found.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(given)));
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
