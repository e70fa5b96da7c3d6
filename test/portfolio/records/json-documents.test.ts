import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DocumentReader,
  type JsonDocument,
  utf8Of,
} from '../../../src/portfolio/records/json-documents.ts';
import { runs } from '../../support/seed.ts';
import { file } from '../report/inputs.ts';

async function readDocuments(
  ...args: Parameters<typeof file>
): Promise<(JsonDocument | { truncatedAt: number })[]> {
  const given = file(...args);
  const reader = new DocumentReader(given.name);
  const found: JsonDocument[] = [];
  for await (const chunk of utf8Of(given)) found.push(...reader.push(chunk));
  const last = reader.end();
  if (last !== undefined) found.push(last);
  const { truncatedAt } = reader;
  return truncatedAt === undefined ? found : [...found, { truncatedAt }];
}

describe('DocumentReader', () => {
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
      'nothing of a truncated last line',
      '{"id":1}\n{"id":2,"na',
      [{ line: 1, value: { id: 1 } }, { truncatedAt: 2 }],
    ],
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
    ['{\n  "id": 1\n}\n', 'b.ndjson, line 1 is not JSON'],
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
      fc.asyncProperty(values, fc.array(fc.nat(400)), async (given, cuts) => {
        const bytes = Buffer.from(given.map((value) => `${JSON.stringify(value)}\n`).join(''));
        const ends = [...cuts.sort((a, b) => a - b), bytes.length];
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        const found = (await readDocuments(pieces)) as JsonDocument[];
        expect(found.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(given)));
      }),
      { numRuns: runs(60) },
    );
  });
});
