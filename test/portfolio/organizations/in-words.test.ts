import { describe, expect, it } from 'vitest';
import { type Column, parseQuery } from '../../../src/display/query/query.ts';
import { organizationTable } from '../../../src/portfolio/organizations/tables.ts';

describe('inWords', () => {
  const coded = organizationTable.columns.flatMap(({ name, kind, values, inWords }) => {
    const { codes = [], wordOf = String } = inWords ?? {};
    const words = { description: '', wordOf, codes, value: () => undefined };
    const column: Column<string> = {
      name,
      kind,
      description: '',
      ...(values === undefined ? {} : { values }),
      inWords: words,
      value: (row) => row,
    };
    return (values ?? codes).map((code) => ({ column, code, word: wordOf(code) }));
  });

  it('has words that conditions read as their codes, with each operator', () => {
    expect(coded.filter(({ code, word }) => code !== word).length).toBeGreaterThan(10);
    for (const { column, code, word } of coded) {
      for (const operator of ['=', '!=', '<', '<=', '>', '>=']) {
        const found = (text: string) => {
          const where = [column.name + operator + text];
          const { matches } = parseQuery(
            { columns: [column], aliases: {}, hintAt: () => '' },
            { where },
          );
          return coded.filter((each) => matches(each.code)).map((each) => each.code);
        };
        expect([word, operator, found(word)]).toEqual([word, operator, found(code)]);
      }
    }
  });
});
