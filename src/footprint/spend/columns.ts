/*
 * Maps the columns of a file with spend. The columns that identify an organization are mapped
 * exactly as `carbon batch` maps them, so that the row keys are those of its journals.
 */
import {
  type Evidence,
  type JournalColumns,
  listColumns,
  type Mapping,
} from '../../list/columns.ts';
import { chooseListColumns, idHeaders } from '../../list/ids.ts';
import { type Field, fields, foldHeader } from '../../registration/fields.ts';
import { invalidInput, type UsageError } from '../../runtime/carbon-error.ts';
import type { CsvDialect } from '../../table/dialect.ts';
import { findColumn, mapOption, readMap } from '../../table/map-option.ts';
import { cut } from '../../terminal/format.ts';
import { splitAmount } from './amounts.ts';
import { readSpendHeader, readUnits, type SpendHeader } from './spend-header.ts';

/* The fields that only a footprint reads. */
const spendFields = ['spend', 'spend_currency', 'spend_year', 'category', 'id'] as const;
export type SpendField = (typeof spendFields)[number];

/** The meaning of a file's columns. */
export type SpendColumns = ReturnType<typeof chooseSpendColumns>;

/** What the amounts of a file count. */
export const amountScales = { units: 1n, thousands: 1_000n, millions: 1_000_000n } as const;
export type AmountScale = keyof typeof amountScales;

/** Options that choose the columns. */
export interface ColumnOptions {
  /** Values of `--map`: fields of a registration and of the spend. */
  readonly map?: readonly string[] | undefined;
  /** Currency of all amounts, an ISO 4217 code. */
  readonly spendCurrency?: string | undefined;
  /** What the amounts count, whatever the header says. */
  readonly amountsIn?: AmountScale | undefined;
}

type Table = Pick<CsvDialect, 'header' | 'sample' | 'below'>;

/**
 * Chooses the columns of a file with spend.
 *
 * @param journals the recorded mappings of the file's journals
 * @throws UsageError if no column or several columns may provide the spend or its currency
 */
export function chooseSpendColumns(
  table: Table,
  options: ColumnOptions,
  journals: readonly JournalColumns[] = [],
) {
  const map = readMap([...fields, ...spendFields], options.map ?? []);
  const isSpendField = (field: string): field is SpendField =>
    (spendFields as readonly string[]).includes(field);
  const chosen = new Map([...map].filter(([field]) => isSpendField(field)));
  const others = new Map([...map].filter(([field]) => !isSpendField(field)) as [Field, string][]);
  const { header } = table;
  const { registration, doubtfulAt } = chooseListColumns(table, others, journals, chosen.get('id'));
  const doubts: { field: SpendField; columns: readonly string[]; map: string }[] = [];
  const find = (field: SpendField, mustDecide = false): number => {
    const given = chosen.get(field);
    if (given !== undefined) return given === '' ? -1 : findColumn(header, given, field);
    const candidates = candidatesOf(field, header, registration);
    const [index = -1] = candidates;
    if (candidates.length < 2) return index;
    if (mustDecide) throw ambiguousColumns(field, table, candidates);
    const columns = candidates.map((at) => header[at] ?? '');
    doubts.push({ field, columns, map: mapOption(field, header, index) });
    return -1;
  };
  const spend = find('spend', true);
  if (spend < 0) throw missingSpend(table, registration);
  const stated: SpendHeader = readUnits(header[spend] ?? '');
  if (stated.scale !== undefined && options.amountsIn === undefined)
    throw scaledHeader(header, spend, stated);
  const at: Readonly<Record<SpendField, number>> = {
    spend,
    spend_currency: find('spend_currency', options.spendCurrency === undefined),
    spend_year: find('spend_year'),
    category: find('category'),
    id: find('id'),
  };
  const columns = spendFields.flatMap((field) => {
    const column = header[at[field]];
    return column === undefined ? [] : [{ field, index: at[field], column }];
  });
  const used = new Set(columns.map(({ column }) => column));
  const unused = registration.unused.filter((column) => !used.has(column));
  const idOption = unused.includes(header[doubtfulAt] ?? '')
    ? mapOption('id', header, doubtfulAt)
    : undefined;
  return {
    /** The columns that identify an organization, as `carbon batch` maps them. */
    registration,
    /** The `--map` values of these columns, as `carbon batch` takes them. */
    registrationMap: [...others].map(([field, column]) =>
      column.includes(',') ? `${field}="${column}"` : `${field}=${column}`,
    ),
    /** The columns of the spend, with their headers exactly as in the file. */
    columns,
    /** The index of the column of each field; -1 without one. */
    at,
    /** Fields that several columns may provide, so that none is used, and how to choose one. */
    doubts,
    /** The `--map` option for a column that may hold ids of the service, and is not used. */
    doubtfulId: idOption,
    /** Headers that provide no field. */
    unused,
    /** What the header of the spend column states besides the amount. */
    stated,
  };
}

/* Returns the columns with the first known header of a field. */
function candidatesOf(
  field: SpendField,
  header: readonly string[],
  { columns }: Mapping,
): readonly number[] {
  const identifying = columns.filter((column) => column.field !== 'currency');
  const taken = new Set(identifying.map(({ index }) => index));
  // The column that a batch sends as the currency of a registration is the currency here.
  const isSent = (at: number) =>
    field === 'spend_currency' && !taken.has(at) && columns.some(({ index }) => index === at);
  const lists = spendHeaders[field].map((isHeader, list, all) =>
    header.flatMap((column, at) =>
      !taken.has(at) && (isHeader(column) || (list === all.length - 1 && isSent(at))) ? [at] : [],
    ),
  );
  return lists.find(({ length }) => length > 0) ?? [];
}

/* Headers by field; those of the first list take precedence over those of the later ones. */
const spendHeaders: Readonly<Record<SpendField, readonly ((column: string) => boolean)[]>> = {
  spend: [isOneOf('spend'), (column) => readSpendHeader(column) !== undefined],
  spend_currency: [
    isOneOf('spendcurrency'),
    isOneOf(
      'currency curr cur ccy currencycode currencykey isocurrency transactioncurrency ' +
        'documentcurrency doccurrency invoicecurrency localcurrency ordercurrency pocurrency ' +
        'währung whg wkz währungscode währungsschlüssel währungskennzeichen belegwährung ' +
        'hauswährung rechnungswährung bestellwährung devise monnaie codedevise moneda divisa ' +
        'währg belegwährg hauswährg waers hwaer lcurr doccurr localcurr ' +
        'valuta valutacode codicevaluta waluta 通貨 通貨コード 货币 币种 貨幣 幣別',
    ),
  ],
  spend_year: [
    isOneOf('spendyear'),
    isOneOf(
      'year fiscalyear financialyear fy calendaryear postingyear invoiceyear purchaseyear ' +
        'reportingyear jahr geschäftsjahr buchungsjahr kalenderjahr wirtschaftsjahr berichtsjahr ' +
        'belegjahr année exercice annéefiscale exercicefiscal exercicecomptable anneecivile año ' +
        'ejercicio añofiscal ejerciciofiscal anno esercizio annofiscale eserciziofiscale jaar ' +
        'boekjaar ano rok år 年 年度 会計年度 财年 年份 會計年度',
    ),
    isOneOf(
      'invoicedate documentdate docdate postingdate pstngdate bookingdate belegdatum buchungsdatum ' +
        'buchdat belegdat rechnungsdatum datefacture datedefacture fechafactura fechadefactura ' +
        'datafattura factuurdatum period postingperiod buchungsperiode periode',
    ),
  ],
  category: [
    isOneOf('category'),
    isOneOf(
      'spendcategory purchasingcategory procurementcategory suppliercategory productcategory ' +
        'costcategory commodity commoditygroup commoditycode materialgroup materialcategory ' +
        'spendgroup purchasinggroup ghgcategory scope3category warengruppe materialgruppe ' +
        'produktgruppe kategorie einkaufskategorie warengruppenbezeichnung beschaffungskategorie ' +
        'catégorie catégoriedachat catégoriedachats familledachat familledachats famille ' +
        'groupedemarchandises segmentdachat categoría categoríadecompra categoríadegasto familia ' +
        'grupodeartículos categoria categoriamerceologica gruppomerceologico categorie ' +
        'kategoria カテゴリ カテゴリー 品目カテゴリ 品目分類 購買カテゴリ 品類 类别 品类 采购类别 物料组',
    ),
  ],
  id: idHeaders.map(isOneOf),
};

/* Checks whether a header, folded with `foldHeader`, is one of some words. */
function isOneOf(text: string): (column: string) => boolean {
  const words = new Set(text.split(' '));
  return (column) => words.has(foldHeader(column));
}

/* Makes the error for a file without a known spend column. */
function missingSpend(table: Table, { columns }: Mapping): UsageError {
  const { header } = table;
  const [only, other] = header.flatMap((_, index) =>
    columns.every((each) => each.index !== index) && holdsAmounts(table, index) ? [index] : [],
  );
  return invalidInput(
    `No column looks like the spend. Columns and first values: ${listColumns(evidenceOf(table))}`,
    only === undefined || other !== undefined
      ? 'Name the column with --map spend=<column>.'
      : `"${cut(header[only] ?? '', 40)}" may hold it: ${mapOption('spend', header, only)}`,
  );
}

/* Makes the error for a field that several columns may provide. */
function ambiguousColumns(
  field: SpendField,
  table: Table,
  candidates: readonly number[],
): UsageError {
  const { header } = table;
  const what = field === 'spend' ? 'spend' : 'currency of the spend';
  const options = candidates.slice(0, maxOptions).map((index) => {
    const { year } = field === 'spend' ? readUnits(header[index] ?? '') : {};
    return `${mapOption(field, header, index)}${year === undefined ? '' : ` --spend-year ${year}`}`;
  });
  return invalidInput(
    `Several columns may hold the ${what}: ${listColumns(evidenceOf(table), candidates)}`,
    `Choose one of them: ${options.join(' or ')}`,
  );
}

const maxOptions = 12;

function evidenceOf({ header, sample }: Table): Evidence {
  return { header, sample: sample.map(({ cells }) => cells) };
}

/* Makes the error for a header that names thousands or millions. */
function scaledHeader(
  header: readonly string[],
  index: number,
  { scale = '', factor }: SpendHeader,
): UsageError {
  return invalidInput(
    `The header "${cut(header[index] ?? '', 40)}" names a scale: "${scale}"`,
    `${factor === undefined ? 'Write the amounts in this column in full.' : `If the amounts are in ${factor}, use --amounts-in ${factor}.`} If the amounts are in full, use --amounts-in units.`,
  );
}

/* Checks whether most values are amounts, and one of them has a decimal or grouping sign. */
function holdsAmounts({ sample }: Table, index: number): boolean {
  const amounts = sample.flatMap(({ cells }) => splitAmount(cells[index] ?? '') ?? []);
  const read = amounts.filter((amount) => typeof amount === 'object');
  return read.length * 2 > amounts.length && read.some(({ body }) => /[.,' ]/.test(body));
}
