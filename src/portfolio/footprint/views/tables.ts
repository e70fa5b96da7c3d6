/*
 * The tables of a footprint, and its text for a pipe. One list of columns for each table feeds the
 * terminal, the pipe, the page and the workbook.
 */
import type { KindName } from '../../../display/query/kinds.ts';
import type { Column, ColumnValue } from '../../../display/query/query.ts';
import { changeText } from '../../../display/terminal/figure.ts';
import { count, listing, naming } from '../../../display/terminal/format.ts';
import { openingSection } from '../../../display/terminal/opening.ts';
import { hanging } from '../../../display/terminal/reading.ts';
import {
  amount,
  countOf,
  emissionsColumn,
  type Fact,
  type FactTable,
  indent,
  inUnit,
  plain,
  renderPlainSections,
  type Section,
  tableSection,
  text,
} from '../../../display/terminal/section.ts';
import type { Labelled } from '../../../lists/table/summary-sheet.ts';
import { shortAmountsInWords, unitOrUnknown } from '../../organizations/statements.ts';
import { targetWords } from '../../organizations/target-words.ts';
import { datesByName, datesInWords } from '../../records/dates.ts';
import { basisWords } from '../basis-words.ts';
import type { LineItem } from '../footprint.ts';
import { exampleGoal } from '../goal-share.ts';
import { bases } from '../line-item.ts';
import { lackName } from '../missing-figures.ts';
import { statements } from '../statements.ts';
import type { FootprintSummary, Totals } from '../totals.ts';
import { answersOf, laterAsks, targetsText } from './answers.ts';
import { coded } from './coded-columns.ts';
import {
  boundaryText,
  coverageText,
  coveredShare,
  industryNote,
  lackText,
  leftOutCount,
  lookupDaysText,
  notesOf,
  originOf,
  rangeText,
  shareText,
  spendText,
  supplierName,
  syntheticSuppliers,
  unitNote,
} from './words.ts';

/**
 * What each member of a row is, in the order of the columns, and whether few readers need it, or
 * only a workbook folds it away.
 */
export type ColumnWords<Row> = Readonly<
  Record<keyof Row, readonly [kind: KindName, description: string, detail?: 'detail' | 'folded']>
>;

/** A column of a member of a row. */
export type MemberColumn<Row> = Column<Row, keyof Row & string>;

type InWords<Row> = (column: MemberColumn<Row>) => MemberColumn<Row>;

/**
 * Returns the columns of the members of a row. Lists are joined, and false is empty.
 * @param codes adds the words of columns of codes
 */
export function columnsOf<Row extends object>(
  words: ColumnWords<Row>,
  codes: Readonly<Partial<Record<keyof Row, InWords<Row>>>>,
): readonly MemberColumn<Row>[] {
  const names = Object.keys(words) as (keyof Row & string)[];
  return names.map((name) => {
    const [kind, description, detail] = words[name];
    const column: MemberColumn<Row> = {
      name,
      description,
      kind,
      isDetail: detail === 'detail',
      isFolded: detail === 'folded',
      value: (row) => {
        const value: unknown = row[name];
        if (Array.isArray(value)) return value.join('; ') || null;
        return value === false ? null : (value as ColumnValue);
      },
    };
    return codes[name]?.(column) ?? column;
  });
}

/** Defines a column of shares. */
export function shareColumn<Row>(
  name: string,
  title: string,
  value: (row: Row) => number | null,
  textOf = (row: Row) => shareText(value(row)),
): Column<Row> {
  return { name, title, description: '', kind: 'share', value, text: textOf };
}

type Part<Name extends string> = Readonly<Record<Name, number | null>>;

// More digits of an estimate would look audited.
const emissions = emissionsColumn<Part<'emissions'>>(
  'emissions',
  'Emissions',
  (row) => row.emissions,
  'compact',
);

const share = {
  ...shareColumn<Part<'share'>>('share', 'Share', (row) => row.share),
  heading: 'Share of the emissions',
};

/** A column whose value is a range, of which a sheet has both ends. */
interface RangeColumn<Row> extends Column<Row> {
  readonly ends: readonly Column<Row>[];
}

type WithSupplierData = Pick<Totals, 'supplier_data_share'>;

const supplierData: RangeColumn<WithSupplierData> = {
  ...shareColumn<WithSupplierData>(
    'supplier_data_share',
    'Supplier data',
    (row) => row.supplier_data_share.to,
    (row) => rangeText(row.supplier_data_share),
  ),
  ends: [
    shareColumn(
      'supplier_data_share_from',
      'From own records, at least',
      (row) => row.supplier_data_share.from,
    ),
    shareColumn(
      'supplier_data_share_to',
      'From own records, at most',
      (row) => row.supplier_data_share.to,
    ),
  ],
};

/** Returns the columns of a sheet, where a range is two numbers. */
export function sheetColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns.flatMap((column) =>
    'ends' in column ? (column as RangeColumn<Row>).ends : column,
  );
}

/** Defines one column for each currency, so that a workbook can add up the amounts. */
export function spendColumns<Row extends { readonly spend: object }>(
  rows: readonly Row[],
  spendIn: (row: Row, currency: string) => number | undefined,
): Column<Row>[] {
  const currencies = [...new Set(rows.flatMap(({ spend }) => Object.keys(spend)))].sort();
  return currencies.map((currency) => ({
    ...amount<Row>(`spend_${currency}`, `Spend ${currency}`, (row) => spendIn(row, currency)),
    isKept: true,
  }));
}

/* Columns of the totals of a year or a category. */
function totalColumns<Row extends Pick<Totals, 'line_items' | 'covered_line_items' | 'spend'>>(
  rows: readonly Row[],
): Column<Row>[] {
  return [
    ...spendColumns(rows, (row, currency) => row.spend[currency]?.total),
    {
      ...countOf<Row>('covered_line_items', 'Covered', (row) => row.covered_line_items),
      heading: 'Line items with emissions',
    },
    { ...countOf<Row>('line_items', 'Items', (row) => row.line_items), heading: 'Line items' },
  ];
}

/** Defines a table, whose rows may be of any kind. */
export function table<Row>(
  rows: readonly Row[],
  others: Omit<FactTable<NoInfer<Row>>, 'rows'>,
): FactTable<never> {
  return { everyColumn: '-o page.html', ...others, rows } as unknown as FactTable<never>;
}

const itemsNote = 'items are line items with spend, covered ones have emissions';

/** The tables of a summary; those without rows are left out. */
export function tablesOf(summary: FootprintSummary): readonly FactTable<never>[] {
  const { unit, years } = summary;
  const ofYears =
    years.length > 1 && `${listing(years.map(({ year }) => String(year ?? 'no year')))} together`;
  const tables = [
    yearsTable(summary),
    spendTable(summary),
    originTable(summary),
    reasonsTable(summary),
    sensitivityTable(summary),
    targetsTable(summary),
    categoriesTable(summary),
    largestTable(summary),
  ];
  return tables.flatMap((each) => {
    const isPerYear = each.key?.kind === 'year';
    const note = isPerYear ? each.note : [each.note, ofYears].filter(Boolean).join('; ');
    return each.rows.length > 0 ? { ...each, unit, note: note || undefined } : [];
  });
}

function yearsTable({ years }: FootprintSummary): FactTable<never> {
  return table(years.length > 1 ? years : [], {
    title: 'Years of spend',
    brief: { place: 1 },
    note: `${itemsNote}; averages are those of the industry`,
    head: 'Year',
    label: ({ year }) => String(year ?? 'unknown'),
    key: { kind: 'year', value: ({ year }) => year },
    columns: [
      emissions,
      {
        ...emissionsColumn<(typeof years)[number]>(
          'industry_emissions',
          'From averages',
          (row) => row.emissions_by_basis.industry,
          'compact',
        ),
        heading: 'Of these from industry averages',
      },
      ...totalColumns(years),
    ],
  });
}

function spendTable(summary: FootprintSummary): FactTable<never> {
  // This statement says how much of the spend is covered.
  const isSaid = statements(summary).some(({ rule }) => rule === 'total');
  return table(Object.entries(summary.spend), {
    title: 'Spend with known emissions',
    prefix: 'spend covered',
    ...(isSaid ? {} : { brief: { place: 2 } }),
    head: 'Currency',
    label: ([currency]) => currency,
    columns: [
      {
        ...amount('covered', 'With emissions', ([, { covered }]) => covered),
        heading: 'Spend with known emissions',
      },
      { ...amount('total', 'Total', ([, { total }]) => total), heading: 'Spend' },
      {
        ...shareColumn('covered_share', 'Share', ([, amounts]) => coveredShare(amounts)),
        heading: 'Share of the spend',
      },
    ],
    bar: ([, amounts]) => coveredShare(amounts),
  });
}

function originTable(summary: FootprintSummary): FactTable<never> {
  return table(originOf(summary), {
    title: 'Origin of the emissions',
    note: `supplier data: ${rangeText(summary.supplier_data_share)} of the emissions, at least scopes 1 and 2`,
    head: 'Basis',
    label: ({ basis }) => basisWords[basis].label,
    isCharted: true,
    columns: [emissions, share],
    bar: (row) => row.share,
  });
}

function reasonsTable({ industry_reasons: reasons }: FootprintSummary): FactTable<never> {
  return table(reasons, {
    title: 'Why industry averages',
    note: 'what the records of these suppliers lack',
    head: 'Reason',
    label: lackName,
    wrapsLabel: true,
    columns: [
      countOf('suppliers', 'Suppliers', (row) => row.suppliers),
      emissions,
      share,
      { ...text('largest', 'Largest', (row) => supplierName(row)), heading: 'Largest supplier' },
    ],
    bar: (row) => row.share,
    barAfter: 'share',
  });
}

const choiceNames: Readonly<Record<string, string>> = {
  // A record has figures of the supplier, and factors that the service calculated.
  'service factors': "the service's own factors",
  'upstream factors additive': 'upstream factors read as additive',
  'upstream factors nested': 'upstream factors read as nested',
};

function sensitivityTable({
  alternatives,
  emissions_by_basis: bases,
}: FootprintSummary): FactTable<never> {
  const base = bases.own + bases.service + bases.industry;
  const changeOf = (row: (typeof alternatives)[number]) =>
    base === 0 ? null : row.emissions / base - 1;
  return table(alternatives, {
    title: 'Sensitivity',
    note: 'the total with another choice wherever a record allows it',
    head: 'Choice',
    label: ({ choice }) => choiceNames[choice] ?? choice,
    columns: [
      emissions,
      {
        ...shareColumn('change', 'Change', changeOf, (row) => changeText(changeOf(row))),
        kind: 'share_change',
        heading: 'Change of the emissions',
      },
      countOf('line_items', 'Items changed', (row) => row.line_items),
    ],
  });
}

/** Counts the suppliers in a share of emissions, if others are not in it. */
export function coveredColumn<
  Row extends {
    readonly suppliers: number | null;
    readonly covered_suppliers: number | null;
  },
>(rows: readonly Row[]): readonly Column<Row>[] {
  if (rows.every(({ suppliers, covered_suppliers: covered }) => suppliers === covered)) return [];
  const column = countOf<Row>('with_emissions', 'In share', (row) => row.covered_suppliers);
  return [{ ...column, heading: 'Suppliers with emissions' }];
}

/** The title of the table of targets. */
export const targetsTitle = 'SBTi near-term targets';

function targetsTable(summary: FootprintSummary): FactTable<never> {
  const { sbti_coverage: coverage } = summary;
  const { targets } = coverage;
  // The answer says the days.
  const days = targetsText(summary) === undefined ? lookupDaysText(coverage) : undefined;
  const isSaid = answersOf(summary).some(({ question }) => question === 'targets');
  const isKnown = targets.some(({ status }) => status !== 'unknown');
  return table(targets, {
    title: targetsTitle,
    ...(isSaid || !isKnown ? {} : { brief: { place: 4 } }),
    note: ['only validated targets count', days].filter(Boolean).join('; '),
    head: 'Target',
    label: ({ status }) => status,
    onScreen: { label: ({ status }) => targetWords(status).name },
    key: { kind: 'name', value: ({ status }) => targetWords(status).name },
    isCharted: true,
    columns: [
      countOf('suppliers', 'Suppliers', ({ suppliers }) => suppliers),
      ...coveredColumn(targets),
      {
        ...shareColumn('share_of_emissions', 'Emissions', (row) => row.by_emissions),
        heading: 'Share of the emissions',
      },
      {
        ...shareColumn('share_of_spend', 'Spend', (row) => row.by_spend),
        heading: 'Share of the spend',
      },
    ],
    bar: (row) => row.by_emissions,
    barAfter: 'share_of_emissions',
    barColumns: 30,
    next: targets.some(({ status }) => status !== 'set')
      ? `To see whom to ask, add --goal "${exampleGoal}"`
      : undefined,
  });
}

function categoriesTable({ categories }: FootprintSummary): FactTable<never> {
  return table(categories.some(({ category }) => category !== null) ? categories : [], {
    title: 'Categories',
    note: `purchasing categories; ${itemsNote}`,
    head: 'Category',
    label: ({ category }) => category ?? 'no category',
    isCharted: true,
    isNumbered: true,
    columns: [emissions, share, supplierData, ...totalColumns(categories)],
    barAfter: 'share',
    bar: (row) => row.share,
  });
}

function largestTable({ largest }: FootprintSummary): FactTable<never> {
  const spend = spendColumns(largest, (row, currency) => row.spend[currency]);
  return table(largest, {
    title: 'Largest suppliers',
    // Without room, the share and the basis say more than the spend.
    brief: { place: 3, rows: 5, mayLeave: spend.map(({ name }) => name) },
    head: 'Supplier',
    label: supplierName,
    onScreen: { label: supplierName, note: basisNote(largest) },
    isCharted: true,
    isNumbered: true,
    columns: [
      emissions,
      share,
      {
        ...coded.basis(text('basis', 'Basis', ({ basis }) => basis)),
        text: ({ basis }) => (basis === null ? '' : basisWords[basis].narrow),
      },
      {
        ...coded.target(text('sbti_near_term', 'Target', (row) => row.sbti_near_term)),
        heading: 'Near-term target',
        text: (row) => targetWords(row.sbti_near_term).short,
        isDetail: true,
      },
      ...spend,
      { ...text('id', 'ID', ({ id }) => id), kind: 'id', isDetail: true },
      { ...text('industry', 'Industry', (row) => row.industry), isDetail: true, leavesFirst: -1 },
      {
        ...text('reason', 'Why an average', (row) => lackText(row) || null),
        kind: 'note',
        isDetail: true,
      },
    ],
    barAfter: 'share',
    barColumns: 20,
    bar: (row) => row.share,
  });
}

/* Writes in full what a column has no room for. */
function basisNote(largest: FootprintSummary['largest']): string | undefined {
  const found = bases.filter((each) => largest.some(({ basis }) => basis === each));
  return found.length === 0
    ? undefined
    : `basis: ${found.map((each) => basisWords[each].one).join(', ')}`;
}

/** Returns the largest items, the largest first; equal ones stay in their order. */
export function largestItems(
  items: Iterable<LineItem>,
  maxCount: number,
  size: (item: LineItem) => number,
): { readonly shown: readonly LineItem[]; readonly omitted: number } {
  // Equal sizes may be infinite, whose difference is not a number.
  const all = [...items].sort((a, b) => (size(a) === size(b) ? 0 : size(b) - size(a)));
  return { shown: all.slice(0, maxCount), omitted: Math.max(0, all.length - maxCount) };
}

/* The largest items without emissions, by their share of the spend in their currency. */
export function leftOutSection(
  summary: FootprintSummary,
  items: Iterable<LineItem>,
  maxItems: number,
): Section {
  const shareOf = ({ spend, currency, excluded }: LineItem) => {
    const { total = 0 } = summary.spend[currency ?? 'unknown'] ?? {};
    return excluded === null && total > 0 ? Math.abs(spend) / total : undefined;
  };
  const isLeftOut = (item: LineItem) => item.uncovered !== null || item.excluded !== null;
  const { shown, omitted } = largestItems(
    [...items].filter(isLeftOut),
    maxItems,
    (item) => shareOf(item) ?? -1,
  );
  const hasCurrencies = Object.keys(summary.spend).length > 1;
  const hasShares = shown.some((item) => shareOf(item) !== undefined);
  const linesOf = ({ lines }: LineItem) => naming(lines.map(String), 5);
  const several = summary.years.length > 1;
  const leftOut = leftOutCount(summary);
  return {
    name: 'Without emissions',
    note: [
      'never counted as 0',
      ...(hasShares ? [`% of the spend${hasCurrencies ? ' in its currency' : ''}`] : []),
      ...(omitted === 0
        ? []
        : [
            `the ${count.format(shown.length)} largest of ${count.format(shown.length + omitted)}; --csv lists all`,
          ]),
    ].join('; '),
    prefix: 'left out',
    facts: shown.map((item, index) => ({
      label: String(index + 1),
      details: [
        ['', supplierName(item)],
        ['spend', plain(item.spend)],
        ['currency', item.currency ?? 'unknown'],
        ['year', item.spend_year === null ? undefined : String(item.spend_year)],
        ['lines', linesOf(item)],
        ['reason', coverageText(item)],
      ],
    })),
    // Reasons are too long for a column.
    renderTerminal: (columns) => [
      ...(leftOut === undefined ? [] : hanging('', leftOut, columns - 2).map(indent)),
      ...shown.flatMap((item) => {
        const { spend, currency, lines, spend_year } = item;
        const share = shareOf(item);
        const text = [
          `${spendText(spend, currency ?? 'unknown')}${several && spend_year !== null ? ` in ${spend_year}` : ''}${share === undefined ? '' : ` (${shareText(share)})`}`,
          `${lines.length === 1 ? 'line' : 'lines'} ${linesOf(item)}`,
          whyLeftOut(item, summary),
        ].join(', ');
        return hanging('', `${supplierName(item)}: ${text}`, columns - 2).map(indent);
      }),
    ],
  };
}

/* Says why an item has no emissions, and what to do about its supplier. */
function whyLeftOut(item: LineItem, { uncovered_suppliers: all }: FootprintSummary): string {
  const { uncovered, supplier, id } = item;
  const group = all.find(
    ({ reason, suppliers }) =>
      reason === uncovered && suppliers.some((one) => one.supplier === supplier && one.id === id),
  );
  const why = coverageText(item);
  if (group === undefined) return why;
  const step = group.next_step;
  // A step may say why itself.
  return step.startsWith(`${why}: `) || why.includes(step) ? step : `${why}: ${step}`;
}

/**
 * Lists the key figures by name, without the share of supplier data, which is a range.
 * @param settings unit and boundary, unless a text next to them has both
 */
export function keyFigures(
  summary: FootprintSummary,
  settings: Labelled = [
    ['unit', unitOrUnknown(summary.unit)],
    ['boundary', summary.boundary],
  ],
): Labelled {
  const { years, emissions_by_basis: bases, unit } = summary;
  return [
    ['total emissions', summary.emissions ?? (years.length > 1 ? 'see the years' : 'none'), unit],
    ...settings,
    ['of these from industry averages', summary.emissions && bases.industry, unit],
    ['suppliers', summary.suppliers],
    ['covered suppliers', summary.covered_suppliers],
    ['line items with spend', summary.line_items],
    ['covered line items', summary.covered_line_items],
  ];
}

/** Rows of a list; the page, a pipe and JSON have up to twice as many. */
export const maxListed = 10;

/**
 * Renders a footprint as lines `label: value` for a pipe.
 * @param items all line items; the view lists the largest ones without emissions
 */
export function renderPlainFootprint(summary: FootprintSummary, items: Iterable<LineItem>): string {
  const { from, to } = summary.supplier_data_share;
  const figures = valueFacts([
    ...keyFigures(summary),
    ['supplier data share, at least', from === null ? null : shareText(from)],
    ['supplier data share, at most', to === null ? null : shareText(to)],
  ]);
  const sections = [
    opening(summary),
    { name: 'key figures', facts: figures },
    ...tablesOf(summary).map(tableSection),
    leftOutSection(summary, items, maxListed),
  ];
  const industry = industryNote(summary);
  const notes = notesOf(summary).filter((note) => note !== industry);
  return renderPlainSections(sections, [...notes, ...laterAsks(summary)]);
}

export function opening(summary: FootprintSummary, isFull = false): Section {
  return openingSection({
    about: [
      'Footprint of purchases',
      ...datesInWords(summary),
      shortAmountsInWords(summary.unit),
      boundaryText(summary),
    ],
    mark: syntheticSuppliers(summary),
    alert: unitNote(summary),
    statements: answersOf(summary),
    facts: datesByName(summary),
    isFull,
  });
}

/** Returns facts of values, without those that are missing. */
export function valueFacts(values: Labelled): readonly Fact[] {
  return values
    .filter(([, value]) => value !== null)
    .map(([label, value, unit]) => {
      const shown = typeof value === 'number' ? inUnit(value, unit) : value;
      return { label, details: [['', shown]] };
    });
}
