import { describe, expect, it } from 'vitest';
import { readRecord } from '../../../src/api/read-record.ts';
import { organizationSchema } from '../../../src/api/schema.ts';
import { notShown, renderOrganization } from '../../../src/cli/output/organization/organization.ts';
import { plainStyle } from '../../../src/terminal/style.ts';
import { build } from './schema.ts';

/* Renders a record in which one field differs: a field that the view shows changes the text. */
function render(terminal: boolean, changed?: string): string {
  const record = build(organizationSchema, (type, path) => {
    const other = path === changed;
    if (type === 'number') return other ? 0.5 : 0.25;
    return type === 'boolean' ? other : other ? 'other' : 'same';
  });
  return renderOrganization(readRecord(record as object).record, {
    style: plainStyle,
    columns: 100,
    terminal,
    synthetic: false,
  });
}

const fields: string[] = [];
build(organizationSchema, (_, path) => fields.push(path));

describe('renderOrganization', () => {
  it.each([true, false])(
    'shows every field except those in notShown (terminal: %s)',
    (terminal) => {
      const usual = render(terminal);
      const hidden = fields.filter((field) => render(terminal, field) === usual);
      expect(hidden).toEqual(notShown.map(({ field }) => field));
    },
  );

  it('is tested with the fields of the schema', () => {
    expect(fields).toContain('performances.emissions.scope_3.investments');
    expect(fields).toContain('sbti.data.business_ambition_1_5.joined_at');
    expect(fields.length).toBeGreaterThan(90);
  });
});
