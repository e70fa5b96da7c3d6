import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  renderOrganization,
  renderPlainOrganization,
} from '../../../src/cli/output/organization.ts';
import type { Organization } from '../../../src/client/api/schema.ts';
import { loadStyle, plainStyle } from '../../../src/display/terminal/style.ts';
import { badLines, unsafe, withoutColors } from '../../support/screen.ts';
import { runs } from '../../support/seed.ts';
import { organizationLine, renderCsvHeader, renderCsvRow, renderOrganizations } from './records.ts';
import { anyOrganization } from './schema.ts';

const columns = fc.integer({ min: 0, max: 260 });
const synthetic = fc.boolean();
const numRuns = runs(80);
const colored = await loadStyle(3);

const renderers = {
  record: (given: Organization[], view: Parameters<typeof renderOrganization>[1]) =>
    given.map((organization) => renderOrganization(organization, view)).join('\n'),
  table: renderOrganizations,
};

describe('renderOrganization and renderOrganizations', () => {
  it.each(['record', 'table'] as const)(
    'keep any %s within the columns of a terminal, with or without color',
    { tags: ['property'] },
    (kind) => {
      fc.assert(
        fc.property(
          fc.array(anyOrganization, { maxLength: 2 }),
          columns,
          synthetic,
          (given, width, isSynthetic) => {
            const view = { columns: width, synthetic: isSynthetic };
            const text = renderers[kind](given, { ...view, style: plainStyle });
            expect(badLines(text, Math.max(40, Math.min(width, 200)))).toEqual([]);
            expect(withoutColors(renderers[kind](given, { ...view, style: colored }))).toBe(text);
          },
        ),
        { numRuns },
      );
    },
  );

  it('print plain lines in a pipe for any record', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(anyOrganization, synthetic, (given, isSynthetic) => {
        const lines = renderPlainOrganization(given, { synthetic: isSynthetic }).split('\n');
        expect(lines.pop()).toBe('');
        expect(lines.filter((line) => unsafe.test(line) || !/^\S.*: ./u.test(line))).toEqual([]);
        const fields = organizationLine(given).split('\n')[0]?.split('\t');
        expect(fields).toHaveLength(12);
      }),
      { numRuns },
    );
  });

  it('renderCsvRow prints one line for any record', { tags: ['property'] }, () => {
    const cells = renderCsvHeader().split(',').length;
    fc.assert(
      fc.property(anyOrganization, (given) => {
        const row = renderCsvRow(given);
        expect(row.slice(0, -2)).not.toMatch(unsafe);
        expect(row.endsWith('\r\n')).toBe(true);
        expect(row.replace(/"(?:[^"]|"")*"/g, '').split(',')).toHaveLength(cells);
      }),
      { numRuns },
    );
  });
});
