/* Reads currencies as people write them: ISO 4217 codes, signs and a few words. */
import { checkCurrency } from '../../registration/iso-codes.ts';
import { flattenString } from '../../runtime/flatten-string.ts';

/** The currencies that a text may mean: one, or several for a sign such as `$`. */
export type Currencies = readonly [string, ...string[]];

/* Several countries share these signs; the most traded currencies come first. */
const signs: ReadonlyMap<string, Currencies> = new Map<string, Currencies>([
  ['€', ['EUR']],
  ['EURO', ['EUR']],
  ['EUROS', ['EUR']],
  ['£', ['GBP']],
  ['₹', ['INR']],
  ['₩', ['KRW']],
  ['₺', ['TRY']],
  ['₽', ['RUB']],
  ['₪', ['ILS']],
  ['฿', ['THB']],
  ['₫', ['VND']],
  ['₴', ['UAH']],
  ['₦', ['NGN']],
  ['₱', ['PHP']],
  ['₸', ['KZT']],
  ['ZŁ', ['PLN']],
  ['KČ', ['CZK']],
  ['FT', ['HUF']],
  ['TL', ['TRY']],
  ['LEI', ['RON']],
  ['RP', ['IDR']],
  ['RM', ['MYR']],
  ['R', ['ZAR']],
  ['NIS', ['ILS']],
  ['DHS', ['AED']],
  ['РУБ', ['RUB']],
  ['ГРН', ['UAH']],
  ['円', ['JPY']],
  ['RMB', ['CNY']],
  ['CN¥', ['CNY']],
  ['JP¥', ['JPY']],
  ['US$', ['USD']],
  ['$US', ['USD']],
  ['R$', ['BRL']],
  ['A$', ['AUD']],
  ['AU$', ['AUD']],
  ['C$', ['CAD']],
  ['CA$', ['CAD']],
  ['NZ$', ['NZD']],
  ['HK$', ['HKD']],
  ['S$', ['SGD']],
  ['SG$', ['SGD']],
  ['NT$', ['TWD']],
  ['MX$', ['MXN']],
  ['FR', ['CHF']],
  ['SFR', ['CHF']],
  ['$', ['USD', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD', 'TWD', 'MXN', 'CLP', 'COP', 'ARS', 'UYU']],
  ['¥', ['JPY', 'CNY']],
  ['元', ['CNY', 'TWD', 'HKD']],
  ['KR', ['SEK', 'NOK', 'DKK', 'ISK']],
  ['RS', ['INR', 'PKR', 'LKR', 'NPR']],
]);

const known = new Map<string, Currencies | undefined>();

/** Returns the currencies that a code or sign may mean; undefined for any other text. */
export function readCurrency(text: string): Currencies | undefined {
  if (known.has(text)) return known.get(text);
  const bare = text.normalize('NFKC').trim().replace(/\.$/, '').toUpperCase();
  const checked = checkCurrency(bare);
  const currencies: Currencies | undefined =
    signs.get(bare) ?? ('code' in checked ? [flattenString(checked.code)] : undefined);
  if (known.size < 10_000) known.set(flattenString(text), currencies);
  return currencies;
}
