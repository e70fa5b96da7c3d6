/*
 * Recognizes the header of a column with amounts spent. `carbon batch` only reports such a column;
 * `carbon footprint` reads it. A header may also state the currency, the year and the scale of the
 * amounts, as in `Spend 2024 (TEUR)`.
 */
import { foldHeader } from '../../registration/fields.ts';

/* Headers of amounts, folded with `foldHeader`, without currency, year and scale. */
const spendWords: ReadonlySet<string> = new Set(
  (
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
    '金额 采购金额 采购额 支出 支出金额 订单金额 发票金额 合同金额 採購金額 採購額'
  ).split(' '),
);

/** What the header of a column with amounts states. */
export interface SpendHeader {
  /** ISO 4217 code. */
  readonly currency?: string;
  readonly year?: number;
  /** The part that names thousands or millions, such as `TEUR`. */
  readonly scale?: string;
  /** What the amounts count; undefined for a factor that `--amounts-in` does not have. */
  readonly factor?: 'thousands' | 'millions';
}

/** Reads a header; returns undefined if it is not that of a column with amounts spent. */
export function readSpendHeader(header: string): SpendHeader | undefined {
  const { words, ...stated } = readUnits(header);
  return spendWords.has(foldHeader(words.join(''))) ? stated : undefined;
}

/** Reads currency, year and scale from the header of any column, such as one that `--map` names. */
export function readUnits(header: string): SpendHeader & { readonly words: readonly string[] } {
  const tokens =
    header.normalize('NFKC').match(/[\p{L}\p{M}\p{N}\p{Sc}']+(?:\/\d\d(?!\d))?/gu) ?? [];
  const found: { -readonly [Key in keyof SpendHeader]: SpendHeader[Key] } = {};
  const words: string[] = [];
  for (const token of tokens) {
    const currency = headerCurrencies.get(token.toUpperCase());
    const year = readHeaderYear(token);
    const scale = readScale(token);
    if (currency !== undefined) found.currency = currency;
    else if (year !== undefined) found.year = year;
    else if (scale !== undefined) {
      found.scale = token;
      if (scale.factor !== undefined) found.factor = scale.factor;
      if (scale.currency !== undefined) found.currency = scale.currency;
    } else words.push(token);
  }
  // "in" and "en" connect the amount to a unit; a year or currency without words is no amount.
  const isConnector = (text: string) => /^(?:in|en|im|of|for|per|pro|fy|gj|[$¥])$/i.test(text);
  const unitsBelow = words.length < tokens.length;
  return { ...found, words: unitsBelow ? words.filter((text) => !isConnector(text)) : words };
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

const scaleWords: readonly (readonly [factor: Scale['factor'], words: RegExp])[] = [
  [
    'thousands',
    /^(?:k|t|tsd|thsd|thous|thousands?|tausend|'?000s?|milliers?|mila|migliaia|miles|mil|tys|千)$/,
  ],
  [
    'millions',
    /^(?:m|mm|mn|mln|mio|mill|million(?:s|en)?|millones|millón|milion[ei]|milhões|mdp|百万|百萬)$/,
  ],
  [
    undefined,
    /^(?:lakhs?|lacs?|crores?|cr|b|bn|bln|billions?|mrd|mia|md|milliarden?|milliards?|miliardi|[万萬亿億]|十亿|十億)$/,
  ],
];

interface Scale {
  /** Undefined for a factor that `--amounts-in` does not have. */
  readonly factor: 'thousands' | 'millions' | undefined;
  readonly currency?: string | undefined;
}

function readScale(token: string): Scale | undefined {
  const word = token.toLowerCase();
  const known = scaleWords.find(([, words]) => words.test(word));
  if (known !== undefined) return { factor: known[0] };
  // TEUR, kEUR, k€, MEUR, 千円, 万元
  const [, scale = '', unit = ''] =
    /^(k|t|m|mio|mn|bn|千|万|萬|百万|億|亿)(.{1,4})$/u.exec(word) ?? [];
  const currency = headerCurrencies.get(unit.toUpperCase());
  if (currency === undefined && !/^[$¥元]$/.test(unit)) return undefined;
  return { factor: scaleWords.find(([, words]) => words.test(scale))?.[0], currency };
}

/** Checks whether a word beside a number scales it, such as `k`, `Mio.` and `TEUR`. */
export function isScaleWord(word: string): boolean {
  const bare = word.replace(/\.$/, '');
  return !headerCurrencies.has(bare.toUpperCase()) && readScale(bare) !== undefined;
}
