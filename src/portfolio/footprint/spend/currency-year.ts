/*
 * Finds the currency and the year of a row. A column, an option and the header of the spend column
 * may each name one, and the sign beside the amount may name a currency. All that do must agree: no
 * amount is converted, and no year is guessed.
 *
 * A fiscal year that spans two calendar years counts as the year in which it ends, as in "FY24" for
 * 2023/24.
 */
import { checkCurrency } from '../../../client/registration/iso-codes.ts';
import { cut } from '../../../display/terminal/format.ts';
import { cellValue } from '../../../lists/table/cell.ts';
import { type Choice, type FindChoices, invalidInput } from '../../../runtime/carbon-error.ts';

/** Where the currency or the year of a row may be named. */
export interface Sources<Value> {
  /** Name of the file. */
  readonly file: string;
  /** Header of the column of currencies or years. */
  readonly column: string | undefined;
  /** Value of `--spend-currency` or `--spend-year`. */
  readonly option: Value | undefined;
  /** What the header of the spend column says. */
  readonly stated: Value | undefined;
}

/**
 * Returns the ISO 4217 code of a row; undefined if nothing names a currency.
 *
 * @param sign the code or sign beside the amount
 * @throws UsageError for an unknown currency, for two currencies, and for a sign of several
 * currencies
 */
export function currencyOfRow(
  { file, column, option, stated }: Sources<string>,
  line: number,
  cell: string | undefined,
  sign: string | undefined,
): string | undefined {
  const place = `${file}, line ${line}`;
  let first: string | undefined;
  let possible: readonly string[] = [];
  for (const [source, text] of [
    [`in column "${column}"`, cell && cellValue('currency', cell)],
    ['from --spend-currency', option],
    ['next to the amount', sign],
    ['in the header of the spend', stated],
  ] as const) {
    if (!text) continue;
    const named = `"${cut(text, 40)}" ${source}`;
    const currencies = possibleCurrencies(text);
    if (currencies === undefined)
      throw invalidInput(
        `${place}: ${named} is not a known currency`,
        'Write an ISO 4217 code, such as EUR, and amounts in full, such as 1200 instead of 1.2k. To use one currency for all rows: --spend-currency <code> --map spend_currency=',
        offer('currency', { column: text === cell ? column : undefined }),
      );
    possible = first ? possible.filter((code) => currencies.includes(code)) : currencies;
    if (possible.length === 0)
      throw invalidInput(
        `${place}: the currency is ${first} and ${named}`,
        cell && text === option
          ? `To use the column: leave out --spend-currency. To count every amount as ${option}: --map spend_currency=`
          : 'Name the currency of the amounts only once. To ignore the currency column: --map spend_currency=',
        offer('currency', { column: cell ? column : undefined, option }),
      );
    first ??= named;
  }
  const [code] = possible;
  if (possible.length < 2) return code;
  throw invalidInput(
    `${place}: ${first} may be ${possible.join(', ')}`,
    `Name the currency of all rows, such as --spend-currency ${code}, or a column with codes: --map spend_currency=<column>`,
    () => ({
      question: 'Which currency are the amounts in?',
      options: possible.map((label) => ({ label, add: ['--spend-currency', label] })),
    }),
  );
}

/* Offers to ignore one of the sources that disagree. */
function offer(
  what: 'currency' | 'year',
  { column, option }: { column: string | undefined; option?: string | number | undefined },
): FindChoices {
  const choices: Choice[] = [];
  // Without the option, each amount keeps its own value.
  if (option !== undefined)
    choices.push({
      label: `Ignore --spend-${what} ${option}`,
      without: [`--spend-${what}`],
    });
  if (column !== undefined)
    choices.push({ label: `Ignore column "${cut(column, 40)}"`, add: ['--map', `spend_${what}=`] });
  return () => ({ question: `Which ${what} counts?`, options: choices });
}

/* Several countries share some signs; the most traded currencies come first. */
const signs: ReadonlyMap<string, readonly string[]> = new Map(
  (
    '€ EUR,EURO EUR,EUROS EUR,£ GBP,₹ INR,₩ KRW,₺ TRY,TL TRY,₽ RUB,РУБ RUB,₪ ILS,NIS ILS,฿ THB,' +
    '₫ VND,₴ UAH,ГРН UAH,₦ NGN,₱ PHP,₸ KZT,ZŁ PLN,KČ CZK,FT HUF,LEI RON,RP IDR,RM MYR,R ZAR,' +
    'DHS AED,円 JPY,JP¥ JPY,RMB CNY,CN¥ CNY,US$ USD,$US USD,R$ BRL,A$ AUD,AU$ AUD,C$ CAD,CA$ CAD,' +
    'NZ$ NZD,HK$ HKD,S$ SGD,SG$ SGD,NT$ TWD,MX$ MXN,FR CHF,SFR CHF,' +
    '$ USD CAD AUD NZD HKD SGD TWD MXN CLP COP ARS UYU,¥ JPY CNY,元 CNY TWD HKD,' +
    'KR SEK NOK DKK ISK,RS INR PKR LKR NPR'
  )
    .split(',')
    .map((entry) => {
      const [sign = '', ...codes] = entry.split(' ');
      return [sign, codes];
    }),
);

/** Returns the currencies that a code or sign may mean; undefined for any other text. */
export function possibleCurrencies(text: string): readonly string[] | undefined {
  const bare = text.normalize('NFKC').trim().replace(/\.$/, '').toUpperCase();
  const checked = checkCurrency(bare);
  return signs.get(bare) ?? ('code' in checked ? [checked.code] : undefined);
}

/**
 * Returns the year of a row; undefined if nothing names a year.
 *
 * @throws UsageError for a cell that is not a year, and for two different years
 */
export function yearOfRow(
  { file, column, option, stated }: Sources<number>,
  line: number,
  cell: string | undefined,
): number | undefined {
  const read = cell === undefined ? undefined : readYear(cell);
  const [year, ...others] = new Set([read, option, stated].filter((each) => each !== undefined));
  if (others.length === 0 && year !== 'unreadable') return year;
  throw invalidInput(
    read === 'unreadable'
      ? `${file}, line ${line}: "${cut(cell?.trim() ?? '', 40)}" in column "${column}" is not a year`
      : `${file}, line ${line}: the year of the spend is ${year} or ${others[0]}`,
    'Name the year once, with four digits, such as 2024. To ignore the column of years: --map spend_year=',
    offer('year', {
      column: read === undefined ? undefined : column,
      option: read === 'unreadable' ? undefined : option,
    }),
  );
}

/* A year with four digits, such as in a date or a period; 202412 and 20241231 begin with one. */
const fullYear = /(?<!\d)(199\d|20\d\d)(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?)?(?!\d)/g;
/* FY24, 31.12.24, Mar-24 */
const shortYears = [
  /^(?:FY|GJ)[ -]?['’]?(\d\d)$/i,
  /^(?:\d\d?)[-/.]\d\d?[-/.](\d\d)$/,
  /(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]*[- .]+(\d\d)$/i,
];
const span = /^(?:(?:FY|GJ)[ -]?)?(\d\d|\d{4}) ?[/–-] ?(\d\d|\d{4})$/i;

/**
 * Reads the year of a cell, of two consecutive years the later one.
 *
 * @returns undefined for a blank cell and for a placeholder such as `n/a`
 */
export function readYear(cell: string): number | 'unreadable' | undefined {
  const text = cellValue('spend_year', cell);
  if (text === undefined) return undefined;
  const [, from = '', to = ''] = span.exec(text) ?? [];
  const end = Number(from.length === 2 ? `20${from}` : from) + 1;
  if (to !== '' && String(end).endsWith(to))
    // 2011-12 is December 2011 or the fiscal year 2011/12.
    return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text) ? 'unreadable' : end;
  const [year, ...others] = new Set([...text.matchAll(fullYear)].map(([, digits]) => digits));
  if (others.length > 0) return 'unreadable';
  const short = shortYears.flatMap((pattern) => pattern.exec(text)?.[1] ?? [])[0];
  return Number(year ?? (short && `20${short}`)) || 'unreadable';
}
