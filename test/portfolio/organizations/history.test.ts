import { describe, expect, it } from 'vitest';
import { renderOrganization } from '../../../src/cli/output/organization.ts';
import { readRecord } from '../../../src/client/api/read-record.ts';
import { plainStyle } from '../../../src/display/terminal/style.ts';
import { renderPage } from '../../../src/portfolio/report/page.ts';
import {
  organizationLine,
  renderCsvHeader,
  renderCsvRow,
  renderOrganizations,
} from '../../cli/output/records.ts';
import { snapshotOf, summarize } from '../report/inputs.ts';

const view = { style: plainStyle, columns: 120, synthetic: false };

/* Returns what each view shows of a record; the year 2024 has the total 4,321. */
async function shown(performances: readonly object[]) {
  const json = { id: 1, name: 'Acme AG', performances };
  const { record } = readRecord(json);
  const csv = (text: string) => text.trim().split(',');
  const row = csv(renderCsvRow(record));
  const cell = (name: string) => row[csv(renderCsvHeader()).indexOf(name)];
  const { document, ...ranked } = summarize(await snapshotOf(json));
  const page = renderPage(document, { ...ranked, from: ['a.ndjson'] });
  const [, pageRow = ''] =
    /id="rows".*?<tbody>(<tr><th scope=row>Acme AG<.*?<\/tr>)/s.exec(page) ?? [];
  const table = renderOrganizations([record], view);
  return {
    table: /Acme AG.*? ([\d.]+K) .*?(20\d\d)/.exec(table)?.slice(1),
    pipe: organizationLine(record).split('\t').slice(6, 11),
    csv: [cell('year'), cell('emissions_total'), cell('revenue')],
    get: /(20\d\d) in detail/.exec(renderOrganization(record, view))?.[1],
    page: [
      ...new Set(
        [...pageRow.matchAll(/<td>(20\d\d)<|title=(4,321)\b/g)].flatMap(
          (found) => found[1] ?? found[2],
        ),
      ),
    ].sort(),
    largest: document.largest_emitters.map(({ year, scope_1_and_2 }) => [year, scope_1_and_2]),
  };
}

const of2024 = {
  year: 2024,
  revenue: 20,
  emissions: { scope_1_and_2: { total: 4_321 }, total: 4_321 },
};

describe('latestPerformance', () => {
  it.each([
    [null],
    [{ scope_1: { total: null }, total: null }],
    [{ scope_3: { business_travel: 5 } }],
  ])(
    'is the year before in every view when the latest year has emissions %j',
    async (emissions) => {
      expect(await shown([{ year: 2025, revenue: 10, emissions }, of2024])).toEqual({
        table: ['4.32K', '2024'],
        pipe: ['2024', '', '', '', '4321'],
        csv: ['2024', '4321', '20'],
        get: '2024',
        page: ['2024', '4,321'],
        largest: [[2024, 4_321]],
      });
    },
  );

  it('is the latest year with a figure, not the latest with a total, in every view', async () => {
    const views = await shown([{ year: 2025, emissions: { scope_1: { total: 7 } } }, of2024]);
    expect(views).toMatchObject({
      pipe: ['2025', '7', '', '', ''],
      csv: ['2025', '', ''],
      get: '2025',
      // The page shows the year with both scopes, as its figures do.
      page: ['2024', '4,321'],
      largest: [[2024, 4_321]],
    });
  });

  it('sorts an implausible year after all others', async () => {
    const views = await shown([{ year: 20_250, emissions: { total: 1 } }, of2024]);
    expect(views).toMatchObject({ csv: ['2024', '4321', '20'], page: ['2024', '4,321'] });
  });

  it('is the latest year with revenue when no year has emissions', async () => {
    const views = await shown([
      { year: 2025, emissions: {} },
      { year: 2024, revenue: 20 },
    ]);
    expect(views).toMatchObject({ csv: ['2024', '', '20'], pipe: ['2024', '', '', '', ''] });
  });
});
