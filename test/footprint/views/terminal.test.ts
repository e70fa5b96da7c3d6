import { describe, expect, it } from 'vitest';
import { renderFootprint } from '../../../src/footprint/views/tables.ts';
import { loadStyle } from '../../../src/terminal/style.ts';
import { width } from '../../../src/terminal/text.ts';
import { hostile, manySuppliers, unusual, usual } from './fixture.ts';

const style = await loadStyle(0);
const pipe = { terminal: false, columns: 0, style };
const all = { usual, unusual, hostile, many: manySuppliers(40) };

describe('renderFootprint', () => {
  it('shows tables on a terminal', async () => {
    const view = { terminal: true, columns: 100, style };
    const text = await renderFootprint(usual.summary, usual.items, view);
    const [tables = ''] = text.split('\nMethod\n');
    expect(`\n${tables}`).toMatchSnapshot();
  });

  it('shows keys in ASCII and plain numbers in a pipe', async () => {
    const text = await renderFootprint(usual.summary, usual.items, pipe);
    expect(`\n${text}`).toMatchSnapshot();
    const lines = text
      .split('\n')
      .filter((line) => !/^(?:note|method|largest|uncovered)/.test(line));
    for (const line of lines) expect(line).not.toMatch(/\d,\d{3}/);
  });

  it.each([40, 60, 80, 120])('writes no line wider than %d columns', async (columns) => {
    for (const { summary, items } of Object.values(all)) {
      const text = await renderFootprint(summary, items, { terminal: true, columns, style });
      for (const line of text.split('\n')) if (width(line) > columns) throw new Error(line);
    }
  });

  it('contains hostile text', async () => {
    for (const view of [pipe, { terminal: true, columns: 80, style }])
      expect(await renderFootprint(hostile.summary, hostile.items, view)).not.toMatch(
        /[\u001b\u202e]/u,
      );
  });
});
