import { describe, expect, it } from 'vitest';
import { cellValue } from '../../../src/lists/table/cell.ts';

describe('cellValue', () => {
  const blanks = ['', ' ', '\u00a0', '\u3000\u200b', 'Not available'];
  const signs = 'n/a N/A #N/A n.a. Null (blank) - \u2013 ... -- . null ?'.split(' ');
  it.each([...signs, ...blanks])('treats %j as absent in every field', (cell) => {
    expect(cellValue('name', cell)).toBeUndefined();
    expect(cellValue('industry_id', ` ${cell} `)).toBeUndefined();
  });

  it.each(['none', 'NIL', 'NaN', 'Unknown', 'not applicable', 'TBD', 'tbc', 'na'])(
    'treats %j as absent in every field but the name',
    (cell) => {
      expect(cellValue('name', cell)).toBe(cell);
      expect(cellValue('website', cell)).toBeUndefined();
    },
  );

  it.each(['DE', 'a', 'Zed', 'No', 'Ural', '3M', '\u0141\u00f3d\u017a'])('returns %j', (cell) => {
    expect(cellValue('industry_name', ` ${cell}`)).toBe(cell);
  });

  it('collapses white space and removes characters without width', () => {
    expect(cellValue('name', '\ufeff Acme\u00a0\u00a0AG\u200b\n(Holding)\u3000')).toBe(
      'Acme AG (Holding)',
    );
    expect(cellValue('name', 'Mu\u0308ller')).toBe('Müller');
    expect(cellValue('name', 'می\u200cخواهم')).toBe('می\u200cخواهم');
  });

  it('keeps words that may be values', () => {
    expect(cellValue('hq_region', 'NA')).toBe('NA');
    expect(cellValue('website', 'NA')).toBeUndefined();
    expect(cellValue('name', 'None')).toBe('None');
    expect(cellValue('external_id', '0')).toBe('0');
  });
});
