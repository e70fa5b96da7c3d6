import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Organization, organizationSchema } from '../../../src/api/schema.ts';
import { renderCsvHeader, renderCsvRow } from '../../../src/cli/output/csv.ts';
import { renderOrganization } from '../../../src/cli/output/organization/organization.ts';
import { renderOrganizations, tableFields } from '../../../src/cli/output/table.ts';
import { loadStyle, plainStyle } from '../../../src/terminal/style.ts';
import { width } from '../../../src/terminal/text.ts';
import { runs } from '../../support/seed.ts';
import { arbitrary } from './schema.ts';

const record = arbitrary(organizationSchema) as fc.Arbitrary<Organization>;
const columns = fc.integer({ min: 0, max: 260 });
const synthetic = fc.boolean();
const numRuns = runs(80);
const coloured = await loadStyle(3);

const unsafe = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

function expectTerminal(text: string, most: number): void {
  const bad = text.split('\n').filter((line) => unsafe.test(line) || width(line) > most);
  expect(bad).toEqual([]);
}

function withoutColours(text: string): string {
  return text.replace(/\u001b\[\d+m/g, '');
}

const renderers = {
  record: (given: Organization[], view: Parameters<typeof renderOrganization>[1]) =>
    given.map((one) => renderOrganization(one, view)).join('\n'),
  table: renderOrganizations,
};

test.each(['record', 'table'] as const)(
  'any %s stays in its columns on a terminal, colours or not',
  { tags: ['property'] },
  (kind) => {
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 2 }),
        columns,
        synthetic,
        (given, width, isSynthetic) => {
          const view = { columns: width, terminal: true, synthetic: isSynthetic };
          const text = renderers[kind](given, { ...view, style: plainStyle });
          expectTerminal(text, Math.max(40, Math.min(width, 200)));
          expect(withoutColours(renderers[kind](given, { ...view, style: coloured }))).toBe(text);
        },
      ),
      { numRuns },
    );
  },
);

test('any record is plain lines in a pipe', { tags: ['property'] }, () => {
  fc.assert(
    fc.property(record, synthetic, (given, isSynthetic) => {
      const view = { style: plainStyle, columns: 80, terminal: false, synthetic: isSynthetic };
      const lines = renderOrganization(given, view).split('\n');
      expect(lines.pop()).toBe('');
      expect(lines.filter((line) => unsafe.test(line) || !/^\S.*: ./u.test(line))).toEqual([]);
      const fields = renderOrganizations([given], view).split('\n')[0]?.split('\t');
      expect(fields).toHaveLength(tableFields.length + (isSynthetic ? 1 : 0));
    }),
    { numRuns },
  );
});

test('any record is one line of CSV', { tags: ['property'] }, () => {
  const cells = renderCsvHeader().split(',').length;
  fc.assert(
    fc.property(record, (given) => {
      const row = renderCsvRow(given);
      expect(row.slice(0, -2)).not.toMatch(unsafe);
      expect(row.endsWith('\r\n')).toBe(true);
      expect(row.replace(/"(?:[^"]|"")*"/g, '').split(',')).toHaveLength(cells);
    }),
    { numRuns },
  );
});

test('lists of any length are no problem', { tags: ['long'] }, () => {
  const many = Array.from({ length: 150_000 }, (_, at) => at);
  const big: Organization = {
    performances: many
      .slice(0, 500)
      .map((year) => ({ year, revenue: year, emissions: { total: year } })),
    sources: many.map((at) => ({ url: `https://a.example/${at}` })),
    matching_organization: { names: many.slice(0, 20_000).map((at) => ({ value: `name ${at}` })) },
  };
  for (const terminal of [true, false]) {
    const view = { style: plainStyle, columns: 80, terminal, synthetic: false };
    expect(renderOrganization(big, view).length).toBeGreaterThan(100_000);
  }
});
