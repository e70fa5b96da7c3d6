import { describe, expect, it } from 'vitest';
import { loadStyle } from '../../../../src/display/terminal/style.ts';
import { width } from '../../../../src/display/terminal/text.ts';
import { renderPlainFootprint } from '../../../../src/portfolio/footprint/views/tables.ts';
import { renderFootprint } from '../../../../src/portfolio/footprint/views/terminal.ts';
import { lineItemColumns } from '../../../../src/portfolio/footprint/views/workbook.ts';
import { targetWords } from '../../../../src/portfolio/organizations/target-words.ts';
import { missingLines, screenText } from '../../../support/screen.ts';
import { footprint, own, record } from '../portfolio.ts';
import { hostile, manySuppliers, unusual, usual } from './fixture.ts';

/* The paths of all values of an item, as the columns name them. */
function paths(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? paths(inner, `${prefix}${key}_`)
      : [prefix + key],
  );
}

it('lineItemColumns contain and describe every member of a line item', () => {
  const names = lineItemColumns.map(({ name }) => name);
  expect(names.toSorted()).toEqual(paths(usual.items[0] ?? {}).toSorted());
  for (const { description } of lineItemColumns) expect(description).toMatch(/^[A-Z`][^|\n]+[^.]$/);
});

const style = await loadStyle(0);
const records = (id: number) => record(id, [own(2024, [100, 100, 300])]);

describe('renderFootprint', () => {
  it('shows the largest suppliers in a terminal, and every table if it is full', async () => {
    const view = { columns: 100, style, pictures: true };
    const text = await screenText(renderFootprint(usual.summary, usual.items, view));
    expect(`\n${text}`).toMatchSnapshot();
    const full = await screenText(renderFootprint(usual.summary, usual.items, view, true));
    expect(`\n${full}`).toMatchSnapshot();
  });

  it('lists all that the total leaves out if it is full', async () => {
    const failed = Array.from({ length: 13 }, (_, at) => ({ name: `Failed ${at}`, id: at + 2 }));
    const made = footprint(
      [
        { name: 'Record 1', id: 1, spend: '300' },
        ...failed.map((each) => ({ ...each, spend: '10' })),
      ],
      [records(1), ...failed.map(({ id, name }) => record(id, [], { name, status: 'errored' }))],
    );
    const textOf = (isFull: boolean) =>
      screenText(renderFootprint(made.summary, made.items, { columns: 80, style }, isFull));
    const few = await textOf(false);
    expect(few).not.toContain('Failed 0');
    expect(few).toMatch(
      /^For suppliers with unknown emissions, targets, .*\n?.*, add --full; for all digits,\s--csv$/m,
    );
    const full = await textOf(true);
    expect(full).not.toContain('--csv lists');
    for (const { name } of failed) expect(full).toContain(`\n  ${name}: `);
  });

  it('leaves out nothing without pictures but the bars', async () => {
    const view = { columns: 160, style };
    const text = await screenText(
      renderFootprint(usual.summary, usual.items, { ...view, pictures: true }),
    );
    const plain = await screenText(renderFootprint(usual.summary, usual.items, view));
    const drawn = /[█▉-▏]+/gu;
    expect(text).toMatch(drawn);
    expect(plain).not.toMatch(drawn);
    const words = (all: string) => all.replace(drawn, '').match(/[^\s─]+/gu);
    expect(words(text)).toEqual(words(plain));
  });

  it('draws the shares of all suppliers before it names their industries', async () => {
    const namedBy = async (columns: number) => {
      const view = { columns, style, pictures: true };
      const full = await screenText(renderFootprint(usual.summary, usual.items, view, true));
      const [, table = ''] = full.split(/^Largest suppliers/m);
      const [, head = '', , first = ''] = table.split('\n');
      return [first.includes('█'), head.includes('Industry')];
    };
    expect(await namedBy(100)).toEqual([true, false]);
    expect(await namedBy(160)).toEqual([true, true]);
  });

  it('leaves a name 20 columns in 80, next to its spend and its bar', async () => {
    const name = '東京精密機械製造株式会社ホールディングス';
    const { summary, items } = footprint(
      [
        { name, id: 1, spend: '1234567890' },
        { name: 'Kessler GmbH', id: 2, spend: '100' },
      ],
      [1, 2].map((id) => ({ ...records(id), name: id === 1 ? name : 'Kessler GmbH' })),
    );
    const view = { columns: 80, style, pictures: true };
    const text = await screenText(renderFootprint(summary, items, view));
    expect(text).toMatch(/^ {2}東京精密機械製造株式会.* █{10} .* 1,234,567,890$/m);
  });

  it('cuts suppliers to five, and leaves the statuses of targets to a full view', async () => {
    const statuses = ['set', 'committed', 'removed', 'none', 'other', 'unknown'];
    const { summary, items } = footprint(
      statuses.map((_, id) => ({ name: `Record ${id}`, id, spend: '100' })),
      statuses.map((target_status, id) => {
        const sbti = { data: [{ near_term: { has_target: true, target_status } }] };
        return { ...records(id), ...(target_status === 'unknown' ? {} : { sbti }) };
      }),
    );
    const view = { columns: 80, style };
    const text = await screenText(renderFootprint(summary, items, view));
    const full = await screenText(renderFootprint(summary, items, view, true));
    for (const status of statuses) {
      const row = new RegExp(`^  ${targetWords(status).name} `, 'm');
      expect([text, full].map((each) => row.test(each))).toEqual([false, true]);
    }
    expect(text).toMatch(/^ {2}Targets: 16\.7% of the emissions you buy are from/m);
    expect(text).toMatch(/^For targets, .* add --full/m);
    expect(text.match(/^ {2}Record \d /gm)).toHaveLength(5);
    expect(full.match(/^ {2}Record \d /gm)).toHaveLength(6);
  });

  it('says the covered spend unless a statement does', async () => {
    const { summary, items } = footprint(
      [
        { name: 'Kessler GmbH', id: 1, spend: '100' },
        { name: 'Nordwind AG', id: 2, spend: '900' },
      ],
      [{ ...records(1), name: 'Kessler GmbH' }],
    );
    const view = { columns: 80, style };
    expect(await screenText(renderFootprint(summary, items, view))).toMatch(
      /^Spend with known emissions\n.*\n.*\n.* 10\.0%$/m,
    );
    expect(await screenText(renderFootprint(usual.summary, usual.items, view))).not.toMatch(
      /^Spend with known emissions/m,
    );
  });

  it('shows keys in ASCII and plain numbers in a pipe', () => {
    const text = renderPlainFootprint(usual.summary, usual.items);
    expect(`\n${text}`).toMatchSnapshot();
  });

  it.each([
    [['EUR', 'USD'], 80],
    [['EUR', 'USD', 'JPY'], 80],
    [['EUR', 'USD', 'JPY'], 60],
    [['EUR', 'USD', 'JPY', 'GBP', 'CHF'], 80],
    [['EUR', 'USD', 'JPY', 'GBP', 'CHF'], 40],
  ])(
    'shows all spend in %j within %i columns if full, and says what has no room',
    async (all, columns) => {
      const suppliers = [1, 2, 3, 4, 5];
      const { summary, items } = footprint(
        suppliers.map((id) => ({
          name: `Northern Industrial Supplies ${id}`,
          id,
          spend: `${id * 123_457}`,
          currency: all[id % all.length] as string,
          category: 'Steel',
        })),
        suppliers.map((id) => {
          const currency = { revenue_currency: all[id % all.length] };
          const sbti = { data: [{ near_term: { target_status: 'committed' } }] };
          const name = `Northern Industrial Supplies ${id}`;
          return { ...record(id, [own(2024, [100, 100, 300], currency)], { sbti }), name };
        }),
        { unit: 'kg' },
      );
      const view = { columns, style };
      const text = await screenText(renderFootprint(summary, items, view, true));
      const [, categories = '', largest = ''] = text.split(/^(?=Categories|Largest suppliers)/m);
      const amounts = suppliers.map((id) => (id * 123_457).toLocaleString('en'));
      for (const amount of amounts) expect(largest).toContain(amount);
      for (const currency of all) expect(categories).toContain(`Spend ${currency}`);
      expect(categories).toMatch(/Items/);
      for (const title of ['Emissions', 'Share', 'Basis', 'Target', 'ID'])
        expect(largest).toContain(title);
      const screen = await screenText(renderFootprint(summary, items, view));
      // Where it is not full, the share and the basis stay longer than the spend.
      const [, head = ''] = /^ {2}(Supplier .*)$/m.exec(screen) ?? [];
      const [, noRoom = ''] = /No room for ([^.]*)\. For/.exec(screen.replace(/\s+/g, ' ')) ?? [];
      const shown = all.filter((currency) => head.includes(`Spend ${currency}`));
      expect(all.filter((currency) => !noRoom.includes(`Spend ${currency}`))).toEqual(shown);
      expect(head).toMatch(/ Emissions +Share/);
      if (shown.length > 0) expect(head).toContain('Basis');
    },
  );

  const all = [usual, unusual, hostile, manySuppliers(40)];

  it('shows nothing that a full view lacks', async () => {
    for (const { summary, items } of all) {
      const view = { columns: 200, style, pictures: true };
      const [few, full] = await Promise.all(
        [false, true].map((isFull) => renderFootprint(summary, items, view, isFull)),
      );
      expect(missingLines(few?.text ?? '', full?.text ?? '')).toEqual([]);
    }
  });

  it('shows why there are no emissions if there are none', async () => {
    const { summary, items } = footprint([{ name: 'Sole GmbH', spend: '100' }], []);
    const text = await screenText(renderFootprint(summary, items, { columns: 80, style }));
    expect(text).toMatch(/^ {2}Sole GmbH: 100 EUR \(100\.0%\), line \d+, no record/m);
    expect(text).not.toContain('For suppliers with unknown emissions');
  });

  it('writes safe lines in a pipe', () => {
    for (const { summary, items } of all)
      expect(renderPlainFootprint(summary, items)).not.toMatch(/[\u001b\u202e]/u);
  });

  it.each([40, 60, 80, 120])('writes safe lines of at most %d columns', async (columns) => {
    for (const { summary, items } of all) {
      for (const isFull of [false, true]) {
        const view = { columns, style, pictures: isFull };
        const text = await screenText(renderFootprint(summary, items, view, isFull));
        expect(text).not.toMatch(/[\u001b\u202e]/u);
        expect(text.split('\n').filter((line) => width(line) > columns)).toEqual([]);
      }
    }
  });
});
