/* The sheets of a footprint, a goal and a comparison, as a person reads them. */
import { describe, expect, it } from 'vitest';
import { readRecord } from '../../../../src/client/api/read-record.ts';
import type { SheetContent } from '../../../../src/lists/workbook/sheet-xml.ts';
import { bridge } from '../../../../src/portfolio/footprint/bridge.ts';
import type { Comparison } from '../../../../src/portfolio/footprint/compare.ts';
import type { LineItem } from '../../../../src/portfolio/footprint/footprint.ts';
import { changesSince } from '../../../../src/portfolio/footprint/goal-changes.ts';
import { factsOf } from '../../../../src/portfolio/footprint/supplier-groups.ts';
import {
  bridgeSheets,
  bridgeSummary,
  type ComparedRow,
  comparedColumns,
  comparedRows,
  comparedSheet,
} from '../../../../src/portfolio/footprint/views/bridge.ts';
import { renderBridgePage } from '../../../../src/portfolio/footprint/views/bridge-page.ts';
import { goalSheets, goalSummary } from '../../../../src/portfolio/footprint/views/goal.ts';
import { goalNotes } from '../../../../src/portfolio/footprint/views/goal-notes.ts';
import {
  type SupplierRow,
  supplierColumns,
  supplierSheet,
} from '../../../../src/portfolio/footprint/views/goal-suppliers.ts';
import { renderFootprintPage } from '../../../../src/portfolio/footprint/views/page.ts';
import {
  footprintSheets,
  footprintSummary,
  lineItemColumns,
  lineItemSheet,
} from '../../../../src/portfolio/footprint/views/workbook.ts';
import { groupsOf, today, toward } from '../planned.ts';
import { bridgeItems, footprint, industry, own, record } from '../portfolio.ts';

interface Sheet {
  readonly columns: readonly { readonly name: string; readonly isFolded?: boolean }[];
  readonly rows: Iterable<readonly unknown[]>;
}

/* Returns the rows by name of the column. */
function rowsOf({ columns, rows }: Sheet) {
  return [...rows].map((row) =>
    Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])),
  );
}

const folded = ({ columns }: Sheet) =>
  columns.flatMap(({ name, isFolded }) => (isFolded ? [name] : []));

/* Returns the rows of a written sheet, by header. */
async function tableOf(sheets: readonly SheetContent[], wanted: string) {
  const sheet = sheets.find(({ name }) => name === wanted);
  const headers = sheet?.columns.map(({ header }) => String(header)) ?? [];
  const rows: Record<string, unknown>[] = [];
  for await (const row of sheet?.rows ?? [])
    rows.push(Object.fromEntries(headers.map((header, at) => [header, row[at] ?? null])));
  return rows;
}

/* Expects that a note on empty cells names columns that are there: "Ask and Change: …". */
function expectHeaders(note: string | undefined, { columns }: { columns: readonly object[] }) {
  const headers = columns.map((column) => ('header' in column ? column.header : undefined));
  const quoted = [...(note ?? '').matchAll(/“([^”]+)”/g)].map(([, name = '']) => name);
  const named =
    quoted.length > 0
      ? quoted
      : [...(note ?? '').matchAll(/(?<=^|\. )([A-Z][^.:]*):/g)]
          .flatMap(([, names = '']) => names.split(/, | and /))
          .filter((name) => name !== 'Others');
  expect(named).not.toEqual([]);
  expect(headers).toEqual(expect.arrayContaining(named));
}

describe('the sheet of line items', () => {
  const result = footprint(
    [{ name: 'Record 1' }, { name: 'Record 2', spend: '30' }, { name: 'Record 3' }],
    [
      record(1, [own(2024, [100, 100, 300])], { sbti: { data: [] } }),
      record(2, [], industry([2024, 0.5])),
      record(3, [own(2024, [1, 1, 1], { revenue_currency: 'USD' })]),
    ],
  );

  it('has words in place of codes, which CSV keeps', async () => {
    const sheet = await lineItemSheet(() => result.items, 't');
    expect(rowsOf(sheet)).toMatchObject([
      {
        ...{ basis: 'industry average', reason: 'no figures in the record' },
        sbti_near_term: 'target unknown',
      },
      { basis: 'own figures', sbti_near_term: 'no target', reason: null },
      { basis: null, uncovered: 'factor in another currency' },
    ]);
    const codes = lineItemColumns.find(({ name }) => name === 'uncovered');
    expect(result.items.map((item: LineItem) => codes?.value(item) ?? null)).toEqual([
      ...[null, null, 'other_currency'],
    ]);
  });

  it('says what its empty cells are, by the headers that it has', async () => {
    const sheet = await lineItemSheet(() => result.items, null);
    const { emptyCells } = footprintSummary(result.summary, () => '');
    expectHeaders(emptyCells, sheet);
    expect(emptyCells).toMatch(/^An empty cell means unknown, not zero\. Exceptions: “Warning” /);
  });

  it('says of synthetic data, of none, and of real data what it is', async () => {
    const [item] = result.items as [LineItem];
    const [made, real] = [true, false].map((synthetic) => ({ ...item, emissions: 1, synthetic }));
    const none = { ...item, emissions: null, synthetic: false };
    const valuesOf = async (...items: readonly (LineItem | undefined)[]) =>
      rowsOf(await lineItemSheet(() => items.flatMap((each) => each ?? []), null)).map(
        ({ synthetic }) => synthetic,
      );
    expect(await valuesOf(real, made, none)).toEqual([null, true, 'no data']);
    expect(await valuesOf(real, none)).toEqual([null, null]);
    const changes = comparedColumns.find(({ name }) => name === 'synthetic');
    const wordOf = (row: Partial<ComparedRow>) => changes?.inWords?.value(row as ComparedRow);
    expect(wordOf({ synthetic: false, change: null })).toBe('no data');
    expect(wordOf({ synthetic: false, change: 1 })).toBe(null);
    const suppliers = supplierColumns(false).find(({ name }) => name === 'synthetic');
    const supplier = { synthetic: false, emissions: null } as SupplierRow;
    expect(suppliers?.inWords?.value(supplier)).toBe('no data');
  });

  it('says in few words why an item has no emissions, and explains it in a folded column', async () => {
    const [first] = result.items;
    const old = { uncovered: 'too_old', uncovered_detail: 'figures are of 2016' } as const;
    const items = [{ ...first, ...old, emissions: null } as LineItem, first as LineItem];
    const sheet = await lineItemSheet(() => items, null);
    const [, row] = rowsOf(sheet);
    expect(row).toMatchObject({
      uncovered: 'figures too old',
      uncovered_detail: old.uncovered_detail,
    });
    expect(folded(sheet)).toContain('uncovered_detail');
  });

  it('says of a record without a match until when its target is unknown', async () => {
    const [first] = result.items;
    const unmatched = [{ ...first, sbti_near_term: null, uncovered: 'unmatched' } as LineItem];
    const [row] = rowsOf(await lineItemSheet(() => unmatched, null));
    expect(row).toMatchObject({ sbti_near_term: 'target unknown until matched' });
  });

  it('has rules in words, and says what a column of reasons holds', async () => {
    const scopes = { ...own(2024, [100, 100, 300]).emissions, scope_1_and_2: { total: 300 } };
    const wrong = [{ ...own(2024, [100, 100, 300]), emissions: scopes }];
    const { items, wordedItems, summary } = footprint([{ name: 'Record 1' }], [record(1, wrong)]);
    const sheet = await lineItemSheet(wordedItems, 't');
    const words =
      'wrong sum of scopes 1 and 2: scope 1 plus scope 2 is 200, scope 1 and 2 together is 300';
    expect(items[0]?.warning).toMatch(/^joint: /);
    expect(rowsOf(sheet)[0]).toMatchObject({ warning: words });
    const page = renderFootprintPage(summary, wordedItems());
    expect(page).toContain(words);
    expect(page).not.toContain('joint:');
    const headers = sheet.columns.map(({ header }) => header);
    expect(headers).toContain('No emissions because');
    expect(headers).not.toContain('Coverage');
  });

  it('folds away details and what is empty or equal in every row, and says so', async () => {
    const sheet = await lineItemSheet(() => result.items, 't');
    expect(folded(sheet)).toEqual(
      expect.arrayContaining(['inputs_scope_1', 'category', 'currency', 'warning']),
    );
    expect(folded(sheet)).not.toContain('emissions');
    const names = sheet.columns.map(({ name }) => name);
    // The reason says its detail.
    const all = lineItemColumns.map(({ name }) => name);
    expect(names.toSorted()).toEqual(all.filter((name) => name !== 'reason_detail').toSorted());
    // What is folded away stands after what a reader sees.
    const firstFolded = sheet.columns.findIndex(({ isFolded }) => isFolded);
    expect(names.slice(firstFolded)).toEqual(folded(sheet));
    expect(sheet.legend).toContainEqual(['Currency (folded)', expect.stringMatching(/^EUR in ev/)]);
    expect(sheet.legend).toContainEqual([
      'Emissions (t)',
      expect.stringMatching(/ · in CSV: emissions$/),
    ]);
  });

  it('is followed by tables in words, without empty columns', async () => {
    const sheets = footprintSheets({ ...result.summary, unit: 't' });
    const [largest] = await tableOf(sheets, 'Largest suppliers');
    expect(largest).toMatchObject({ Basis: 'industry average', 'Emissions (t)': 15 });
    const reasons = await tableOf(sheets, 'Why industry averages');
    expect(reasons).toEqual([
      {
        ...{ Reason: 'no figures in the record', Suppliers: 1, 'Emissions (t)': 15 },
        ...{ 'Share of the emissions': 0.75, 'Largest supplier': 'Record 2' },
      },
    ]);
  });
});

describe('the sheets of facts', () => {
  it('have years that are numbers, and targets in the words of the line items', async () => {
    const records = [record(1, [own(2024, [50, 50, 900])], { sbti: { data: [] } })];
    const bought = [2023, 2024].map((year) => ({ name: 'Record 1', year }));
    const sheets = footprintSheets(footprint(bought, records).summary);
    const [first] = await tableOf(sheets, 'Years of spend');
    expect(first).toMatchObject({ Year: 2023, 'Line items with emissions': 1 });
    const [target] = await tableOf(sheets, 'SBTi near-term targets');
    expect(target).toMatchObject({ Target: 'no target', 'Share of the emissions': 1 });
  });
});

describe('the sheets of a goal', () => {
  const planned = [
    { spend: 70, factor: 1, status: 'set' },
    { spend: 30, factor: 1, status: 'removed' },
  ];
  const newResult = () => {
    return { engagement: toward('90%', planned), since: undefined, today, year: 2024 };
  };

  it('have words in place of codes', async () => {
    expect(rowsOf(await supplierSheet(newResult(), null))).toMatchObject([
      { sbti_near_term: 'target validated', basis: 'own figures' },
      {
        sbti_near_term: 'target removed',
        next_step: 'ask why it was removed, and for a new near-term target',
      },
    ]);
  });

  it('say that a target is unknown, and what other empty cells are', async () => {
    const result = newResult();
    const [first] = result.engagement.suppliers;
    Object.assign(first ?? {}, { status: 'unknown', statusText: null });
    const sheet = await supplierSheet(result, null);
    expect(rowsOf(sheet)[0]).toMatchObject({ sbti_near_term: 'target unknown' });
    const { emptyCells } = goalSummary(footprint([], []).summary, result, () => '');
    expectHeaders(emptyCells, sheet);
    expect(emptyCells).toMatch(/^Next step, .*unknown, not zero\.$/);
  });

  it('begin with the supplier, its share and target, and the next step, in few lines', async () => {
    const { columns } = await supplierSheet(newResult(), null);
    const open = columns.filter(({ isFolded }) => !isFolded);
    expect(open.slice(0, 4).map(({ header, width }) => [header, width])).toEqual([
      ['Supplier', undefined],
      ['Share', undefined],
      ['Near-term target', undefined],
      ['Next step', 50],
    ]);
    expect(columns.find(({ name }) => name === 'website')?.isFolded).toBe(true);
  });

  it('say of which day a target is', async () => {
    const result = newResult();
    const day = '2024-01-31';
    const dates = { records_from: day, records_to: day, as_of: null, written_at: day };
    const now = planned.map((each) => ({ ...each, status: 'committed' }));
    const since = { day, changes: changesSince(result.engagement, groupsOf(now)), dates };
    const { legend, columns } = await supplierSheet({ ...result, since }, null);
    const then = columns.find(({ name }) => name === 'status_then');
    expect(then?.header).toBe('Target then');
    expect(JSON.stringify(legend)).toContain('Near-term target on the day of --since');
  });

  it('have the addresses of a supplier to ask, as far as the record has them', async () => {
    const contact = {
      ...{ website: 'beta.example', report: 'https://beta.example/report.pdf' },
      ...{ cdp: null, reference: null, tickers: 'XETR', externalId: 'V-7' },
    };
    const result = newResult();
    for (const { entries } of result.engagement.ask)
      for (const { group } of entries) Object.assign(group.record ?? {}, { contact });
    const [asked] = await tableOf(goalSheets(result), 'Ask next');
    expect(asked).toMatchObject({
      ...{ Website: 'beta.example', Report: 'https://beta.example/report.pdf' },
      ...{ Tickers: 'XETR', 'Your number': 'V-7' },
    });
    expect(asked).not.toHaveProperty('CDP page');
  });

  it('name suppliers whose look-up is later than the days that are said', () => {
    const result = newResult();
    const late = { checkedAt: null, since: null, detail: null, hasTarget: true };
    for (const { entries } of result.engagement.suppliers)
      for (const { group } of entries)
        Object.assign(group.record ?? {}, { evidence: late, retrievedAt: '2026-02-01T00:00:00Z' });
    const lookups = { from: '2025-01-01', to: '2025-06-01' };
    const notes = goalNotes({ ...result, engagement: { ...result.engagement, lookups } });
    expect(notes).toContainEqual(
      expect.stringMatching(/^Looked up later than the days above: 2 suppliers without a day/),
    );
    const same = { from: '2025-01-01', to: '2026-02-01' };
    const none = goalNotes({ ...result, engagement: { ...result.engagement, lookups: same } });
    expect(none.join()).not.toContain('Looked up later');
  });
});

describe('a contact', () => {
  const matched = {
    id: 1,
    link: 'https://reference.example/1',
    websites: [{ value: 'matched.example' }],
    tickers: [{ exchange: 'XETR', symbol: 'REC' }],
  };
  const full = record(1, [], {
    external_id: 'V-7',
    sources: [{ url: null }, { url: 'https://one.example/report.pdf' }],
    cdp: { url: 'https://cdp.example/1' },
    matching_organization: matched,
  });

  it('is what a record knows to reach an organization', () => {
    const all = { evidence: true, contact: true };
    expect(factsOf(readRecord(full).record, 1, null, all).contact).toEqual({
      website: 'matched.example',
      report: 'https://one.example/report.pdf',
      cdp: 'https://cdp.example/1',
      reference: 'https://reference.example/1',
      tickers: 'REC',
      externalId: 'V-7',
    });
    const named = readRecord({ ...full, website: 'own.example' }).record;
    expect(factsOf(named, 1, null, all).contact?.website).toBe('own.example');
    const none = { evidence: false, contact: false };
    expect(factsOf(named, 1, null, none)).toMatchObject({ contact: undefined, evidence: null });
  });
});

describe('the sheets of a comparison', () => {
  const buy = (spend: string) => [{ name: 'Record 1', spend }];
  const records = [record(1, [own(2024, [100, 100, 300])])];
  const [before, after] = [footprint(buy('10'), records), footprint(buy('30'), records)];
  const comparison: Comparison = {
    ...{ before: 2023, after: 2024, since: null, isSaved: false, notes: [] },
    steps: [bridge('years', bridgeItems(before), bridgeItems(after))],
  } as never;

  it('have words in place of codes, and all digits', async () => {
    const [row] = rowsOf(await comparedSheet(comparison, 't'));
    expect(row).toMatchObject({ step: 'from year to year', emissions_after: 15 });
  });

  it('have no effect of a supplier without emissions, and say why it has none', async () => {
    const known = [...records, record(2, []), record(3, [], { status: 'errored' })];
    const spent = (...ids: readonly number[]) =>
      footprint(
        ids.map((id) => ({ name: `Record ${id}`, spend: '10' })),
        known,
      );
    const [from, to] = [spent(1, 2), spent(1, 2, 3)].map(bridgeItems);
    const compared = { ...comparison, steps: [bridge('years', from ?? [], to ?? [])] };
    const none = { change: null, spend_effect: null, coverage: null, new: null };
    const { emptyCells } = bridgeSummary(compared, after.summary);
    expect(emptyCells).toMatch(/^Effects: .*emissions are unknown\. .* Reason: /);
    const [, ...silent] = rowsOf(await comparedSheet(compared, 't'));
    expect(silent).toMatchObject([
      { ...none, supplier: 'Record 2', reason: 'emissions unknown in both years' },
      { ...none, supplier: 'Record 3', reason: 'new; emissions unknown: research failed' },
    ]);
    const [, table = ''] = renderBridgePage(compared, after.summary).split('id="all"');
    const shown = table.split('<tr').filter((row) => row.includes('emissions unknown'));
    expect(shown).toHaveLength(2);
    for (const row of shown) expect(row).not.toMatch(/>0</);
    // Programs find what was calculated.
    expect(comparedRows(compared).slice(1)).toMatchObject([
      { change: null, coverage: 0, reason: 'no emissions on both sides' },
      { change: null, new: 0, reason: null },
    ]);
    const days = { ...compared, steps: [bridge('restated', from ?? [], from ?? [])] };
    expect(rowsOf(await comparedSheet(days, 't'))[1]).toMatchObject({
      reason: 'emissions unknown on both days',
    });
  });

  it('have headers with the years that are compared, not of records of two days', async () => {
    const headersOf = async (of: Comparison) =>
      (await comparedSheet(of, 't')).columns.map(({ header }) => header);
    const compared = await headersOf(comparison);
    for (const header of ['Emissions 2023 (t)', 'Emissions 2024 (t)', 'From your spend (t)'])
      expect(compared).toContain(header);
    const restated = {
      ...comparison,
      after: null,
      steps: [{ ...comparison.steps[0], step: 'restated' }],
    };
    expect(await headersOf(restated as never)).toContain('Emissions before (t)');
  });

  it('show the parts of a change as the sentences do, so that they add up', async () => {
    const tables = bridgeSheets(comparison, after.summary, () => undefined);
    const rows = await tableOf(tables, 'What changed from 2023 to 2024');
    expect(rows.map((row) => [row['Effect'], row['% of 2023']])).toEqual([
      ['From your spend', 2],
      ['All changes', 2],
    ]);
  });

  it('have a row for each supplier to ask, with what its record knows to reach it', async () => {
    const lacking = footprint(buy('30'), [record(1, [], industry([2024, 0.5]))]);
    const steps = [bridge('years', bridgeItems(before), bridgeItems(lacking))];
    const contact = {
      ...{ website: 'one.example', report: null, cdp: 'https://cdp.example/1' },
      ...{ reference: null, tickers: null, externalId: null },
    };
    const asks = { ...comparison, steps } as never;
    const sheets = bridgeSheets(asks, lacking.summary, () => contact);
    const all = { Website: 'one.example', 'CDP page': 'https://cdp.example/1', ID: 1 };
    expect(await tableOf(sheets, 'Whom to ask')).toEqual([
      {
        ...{ Supplier: 'Record 1', Why: 'your spend added emissions', ...all },
        ...{
          'Next step': 'ask your own buyers why: more goods, or higher prices',
          'Missing categories': null,
          Added: 10,
          Emissions: null,
        },
      },
      {
        ...{
          Supplier: 'Record 1',
          Why: 'on industry averages: has no figures in the record',
          ...all,
        },
        ...{
          'Next step': 'ask for scopes 1 to 3 and the revenue of 2024',
          'Missing categories': '1 2 3 4 5 6 7 8',
          Added: null,
          Emissions: 15,
        },
      },
    ]);
  });
});
