/*
 * Maps the columns of a file with spend. The columns that identify an organization are mapped
 * exactly as `carbon batch` maps them, so that the row keys are those of its journals. The header
 * of the amounts may also state their currency, year and scale, as in `Spend 2024 (TEUR)`.
 */

import {
  type Field,
  fields,
  fieldsOfHeader,
  foldHeader,
  hasWord,
} from '../../../client/registration/fields.ts';
import { cut } from '../../../display/terminal/format.ts';
import { chooseListColumns, idHeaders } from '../../../lists/kept/listed-ids.ts';
import {
  type JournalColumns,
  listColumns,
  type Mapping,
  type TableHead,
} from '../../../lists/list/columns.ts';
import { splitAmount } from '../../../lists/table/amounts.ts';
import {
  findColumn,
  mapOption,
  mapText,
  readMap,
  spendFields,
} from '../../../lists/table/map-option.ts';
import { type Choices, invalidInput } from '../../../runtime/carbon-error.ts';

export type SpendField = (typeof spendFields)[number];

/* The fields that `--map` knows. */
const mapFields = [...fields, ...spendFields] as const;

/** The meaning of a file's columns. */
export type SpendColumns = ReturnType<typeof chooseSpendColumns>;

/** What the amounts of a file count. */
export const amountScales = { units: 1n, thousands: 1_000n, millions: 1_000_000n } as const;

/** Options that choose the columns. */
export interface ColumnOptions {
  /** Values of `--map`: fields of a registration and of the spend. */
  readonly map?: readonly string[] | undefined;
  /** Currency of all amounts, an ISO 4217 code. */
  readonly spendCurrency?: string | undefined;
  /** What the amounts count, whatever the header says. */
  readonly amountsIn?: keyof typeof amountScales | undefined;
}

/**
 * Chooses the columns of a file with spend.
 *
 * @param journal the columns that the journal of the file recorded
 * @throws UsageError if no column or several columns may provide the spend or its currency, and if
 * the header of the spend names a scale that no option confirms
 */
export function chooseSpendColumns(
  table: TableHead,
  { map: texts = [], spendCurrency, amountsIn }: ColumnOptions,
  journal: JournalColumns | undefined,
) {
  const map = readSpendMap(texts);
  const isSpendField = (field: string) => (spendFields as readonly string[]).includes(field);
  const others = new Map([...map].filter(([field]) => !isSpendField(field)) as [Field, string][]);
  const { header } = table;
  const { registration } = chooseListColumns(table, others, journal, map.get('id'));
  const find = (field: SpendField): number => {
    const given = map.get(field);
    if (given === '') return -1;
    if (given !== undefined) return findColumn(header, given, field, isHeaderOf(field));
    const candidates = candidatesOf(field, header, registration);
    // The option replaces one of several columns.
    const isReplaced = field === 'spend_currency' && spendCurrency !== undefined;
    if (candidates.length > 1 && isReplaced) return -1;
    return onlyColumn(table, field, candidates);
  };
  const spend = find('spend');
  const stated = readSpendHeader(table, spend, amountsIn);
  const at: Readonly<Record<SpendField, number>> = {
    spend,
    spend_currency: find('spend_currency'),
    spend_year: map.has('spend_year') ? find('spend_year') : findYear(table, find('spend_year')),
    category: find('category'),
    id: find('id'),
  };
  const columns = spendFields.flatMap((field) => {
    const column = header[at[field]];
    return column === undefined ? [] : [{ field, index: at[field], column }];
  });
  const used = new Set(columns.map(({ column }) => column));
  const unused = registration.unused.filter((column) => !used.has(column));
  return {
    /** The columns that identify an organization, as `carbon batch` maps them. */
    registration,
    /** The `--map` values of these columns, as `carbon batch` takes them. */
    registrationMap: [...others].map(([field, column]) => mapText(field, column)),
    /** The columns of the spend, with their headers exactly as in the file. */
    columns,
    /** The index of the column of each field; -1 without one. */
    at,
    /** Headers that provide no field. */
    unused,
    /** What the header of the spend column states besides the amount. */
    stated,
  };
}

/** Parses `--map` values of a file with spend. */
export function readSpendMap(texts: readonly string[]): ReadonlyMap<Field | SpendField, string> {
  return readMap(mapFields, texts, (header) => [
    ...spendFields.filter((field) => isHeaderOf(field)(header)),
    ...fieldsOfHeader(header),
  ]);
}

function isHeaderOf(field: SpendField): (header: string) => boolean {
  return (header) => spendHeaders[field].some((isHeader) => isHeader(header));
}

/* Returns the only candidate for a field; -1 without one. */
function onlyColumn(table: TableHead, field: SpendField, candidates: readonly number[]): number {
  const [index = -1] = candidates;
  if (candidates.length < 2) return index;
  const options = candidates.map((at) => mapOption(field, table.header, at));
  throw invalidInput(
    `Several columns may hold ${field}: ${listColumns(table, candidates)}`,
    `Choose one of them: ${options.slice(0, maxOptions).join(' or ')}`,
    () => chooseColumn(table, field, candidates, `Several columns may hold ${field}`),
  );
}

/* Reads the header of the spend, which must exist and name no scale that no option confirms. */
function readSpendHeader(
  table: TableHead,
  index: number,
  amountsIn: ColumnOptions['amountsIn'],
): SpendHeader {
  if (index < 0)
    throw invalidInput(
      `No column looks like the spend. Columns and first values: ${listColumns(table)}`,
      'Choose the column with --map spend=<column>. A list without spend has the records: carbon footprint <your purchases> --records <list>.',
      () => chooseColumn(table, 'spend', amountColumns(table), 'No column looks like the spend'),
    );
  const header = table.header[index] ?? '';
  const stated = readHeader(header);
  if (stated.scale === undefined || amountsIn !== undefined) return stated;
  throw invalidInput(
    `The header "${cut(header, 40)}" contains a scale: "${stated.scale}"`,
    'Use --amounts-in units, --amounts-in thousands or --amounts-in millions, or write the amounts in full.',
    () => ({
      question: 'What do the amounts count?',
      options: Object.keys(amountScales).map((label) => ({ label, add: ['--amounts-in', label] })),
    }),
  );
}

async function chooseColumn(
  table: TableHead,
  field: SpendField,
  indexes: readonly number[],
  problem: string,
): Promise<Choices> {
  const { columnChoices } = await import('../../../lists/table/choices.ts');
  return {
    problem,
    question: `Which column has the ${field.replace('spend_', '').replace('id', 'ID')}?`,
    options: columnChoices(table, field, indexes),
    stop: 'None of these',
  };
}

/* Returns the columns whose values are mostly amounts. */
function amountColumns({ header, sample }: TableHead): number[] {
  return [...header.keys()].filter((index) => {
    const values = sample.flatMap(({ cells }) => splitAmount(cells[index] ?? '') ?? []);
    return values.filter((value) => value !== 'unreadable').length * 2 > values.length;
  });
}

const isDateHeader = isOneOf(
  'date datum fecha data dato dátum päiväys kuupäev datums дата ημερομηνία tarih 日付 日期 날짜',
);
const date = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:[T ].*)?$/;

/* Returns the column of the year; without one, that of the only date if its header is `Date`. */
function findYear({ header, sample }: TableHead, found: number): number {
  if (found >= 0) return found;
  const dates = [...header.keys()].filter((index) => {
    const values = sample.flatMap(({ cells }) => cells[index]?.trim() || []);
    return values.filter((value) => date.test(value)).length * 2 > values.length;
  });
  const [only = -1, ...others] = dates;
  return others.length === 0 && isDateHeader(header[only] ?? '') ? only : -1;
}

const maxOptions = 12;

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
    field === 'spend_currency' && columns.some(({ index }) => index === at);
  const lists = spendHeaders[field];
  for (const isHeader of lists) {
    const isOne = (column: string, at: number) =>
      !taken.has(at) && (isHeader(column) || (isHeader === lists.at(-1) && isSent(at)));
    const found = header.flatMap((column, at) => (isOne(column, at) ? [at] : []));
    if (found.length > 0) return found;
  }
  return [];
}

/* Headers by field; those of the first list take precedence over those of the later ones. */
const spendHeaders: Readonly<Record<SpendField, readonly ((column: string) => boolean)[]>> = {
  spend: [isOneOf('spend'), isSpendHeader],
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
function isOneOf(words: string): (column: string) => boolean {
  return (column) => hasWord(words, foldHeader(column));
}

/** Checks whether a header is one of amounts of spend. */
export function isSpendHeader(header: string): boolean {
  return hasWord(spendWords, foldHeader(readHeader(header).words.join('')));
}

/* Headers of amounts, folded with `foldHeader`, without currency, year and scale. */
const spendWords =
  'spend spending amount spendvolume spendamount spendvalue annualspend yearlyspend totalspend ' +
  'totalamount netspend netamount amountnet grossamount invoiceamount invoicedamount ' +
  'invoicevalue amountspent amountpaid paidamount purchaseamount purchasevalue purchasevolume ' +
  'purchasingvolume purchases procurementspend procurementvolume supplierspend vendorspend ' +
  'ordervalue orderamount ordervolume povalue poamount expenditure expense expenses netvalue ' +
  'netordervalue amountinlocalcurrency amountindocumentcurrency amountindoccurr amountinlc ' +
  'localcurrencyamount localamount documentamount transactionamount lineamount linetotal ' +
  'umsatz jahresumsatz einkaufsumsatz lieferantenumsatz einkaufsvolumen einkaufswert ' +
  'beschaffungsvolumen bestellwert bestellvolumen bestellsumme nettobestellwert betrag ' +
  'nettobetrag betragnetto bruttobetrag betragbrutto rechnungsbetrag rechnungssumme ' +
  'rechnungswert nettowert nettoumsatz warenwert ausgaben kosten jahresausgaben ' +
  'betraginhauswährung betraginbelegwährung hauswährungsbetrag belegbetrag ' +
  'betraginbw betraginhw betraginhauswähr betraginbelegwähr betraginhauswährg ' +
  'amountindc amountinloccurcy amountindoccurcy wrbtr dmbtr ' +
  'montant montantht montantttc montanthorstaxes montanttotal montantannuel montantfacturé ' +
  'montantnet dépense dépenses dépenseannuelle dépensesannuelles achats volumedachat ' +
  'volumedachats chiffredaffairesachats importe importetotal importeneto importeanual monto ' +
  'montototal gasto gastos gastoanual volumendecompra compras importo importototale ' +
  'importonetto importoannuo spesa speseannue spesaannua acquisti valoreordini fatturato ' +
  'bedrag nettobedrag inkoopvolume inkoopwaarde uitgaven valor valortotal despesa kwota belopp ' +
  'beløb beløp ' +
  '金額 支払金額 支出額 購入金額 購買金額 取引金額 調達金額 発注金額 仕入金額 請求金額 税抜金額 ' +
  '金额 采购金额 采购额 支出 支出金额 订单金额 发票金额 合同金额 採購金額 採購額';

type SpendHeader = ReturnType<typeof readHeader>;

/* Reads what a header of amounts states; the scale is the part that names one, such as `TEUR`. */
function readHeader(header: string) {
  const tokens =
    header.normalize('NFKC').match(/[\p{L}\p{M}\p{N}\p{Sc}']+(?:\/\d\d(?!\d))?/gu) ?? [];
  let currency: string | undefined;
  let year: number | undefined;
  let scale: string | undefined;
  const words: string[] = [];
  for (const token of tokens) {
    const code = headerCurrencies.get(token.toUpperCase());
    const stated = readHeaderYear(token);
    const scaled = code === undefined && stated === undefined ? readScale(token) : undefined;
    if (scaled !== undefined) scale = token;
    else if (code === undefined && stated === undefined) words.push(token);
    currency = code ?? scaled?.currency ?? currency;
    year = stated ?? year;
  }
  // "in" and "en" connect the amount to a unit; a year or currency without words is no amount.
  const isConnector = (text: string) => /^(?:in|en|im|of|for|per|pro|fy|gj|[$¥])$/i.test(text);
  const hasUnits = words.length < tokens.length;
  return {
    /** ISO 4217 code. */
    currency,
    year,
    scale,
    words: hasUnits ? words.filter((text) => !isConnector(text)) : words,
  };
}

/* A fiscal year such as 2023/24 counts as the year in which it ends. */
function readHeaderYear(token: string): number | undefined {
  const [, year, isSpan] = /^(?:fy|gj|cy)?((?:19|20)\d\d)(?:年?度?|(\/\d\d))$/i.exec(token) ?? [];
  return year === undefined ? undefined : Number(year) + (isSpan === undefined ? 0 : 1);
}

/* Words such as ALL, TOP and TRY are also codes, so only common currencies count in a header. */
const headerCurrencies = new Map([
  ...'EUR USD GBP CHF JPY CNY SEK NOK DKK PLN CZK HUF RON CAD AUD NZD HKD SGD INR KRW BRL MXN ZAR AED SAR ILS THB IDR MYR PHP TWD'
    .split(' ')
    .map((code): [string, string] => [code, code]),
  ['EURO', 'EUR'],
  ['EUROS', 'EUR'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['US$', 'USD'],
  ['RMB', 'CNY'],
  ['円', 'JPY'],
]);

const scaleWords = new Set(
  (
    "k t tsd thsd thous thousand thousands tausend 000 000s '000 '000s millier milliers mila " +
    'migliaia miles mil tys 千 m mm mn mln mio mill million millions millionen millones millón ' +
    'milione milioni milhões mdp 百万 百萬 lakh lakhs lac lacs crore crores cr b bn bln billion ' +
    'billions mrd mia md milliarde milliarden milliard milliards miliardi 万 萬 亿 億 十亿 十億'
  ).split(' '),
);

/* Reads words such as `Mio`, and scales with a currency such as TEUR, k€, 千円 and 万元. */
function readScale(token: string): { readonly currency: string | undefined } | undefined {
  const word = token.toLowerCase();
  if (scaleWords.has(word)) return { currency: undefined };
  const [, unit = ''] = /^(?:k|t|mio|mn|m|bn|千|万|萬|百万|億|亿)(.{1,4})$/u.exec(word) ?? [];
  const currency = headerCurrencies.get(unit.toUpperCase());
  return currency !== undefined || /^[$¥元]$/.test(unit) ? { currency } : undefined;
}
