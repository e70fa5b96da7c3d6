/* Recognizes a row that adds up others: no organization, and no purchase. */
import type { Field } from './fields.ts';

const label =
  /^(?:(?:grand|overall|report) total|sub-?total|totals?|overall result|sum|gesamt|gesamt(?:summe|ergebnis|betrag|wert)|(?:summe|ergebnis|total) gesamt|insgesamt|summen?|(?:end|zwischen|teil)summe|(?:zwischen|teil)?ergebnis|total g[ée]n[ée]ral|sous-total|totaux|total geral|somat[óo]rio|totale(?: complessivo| generale)?|somme|somma|suma(?: total)?|total general|subtotale|(?:sub|eind)?totaal|razem|suma ko[ńn]cowa|totalsumma|yhteens[äa]|i alt|итого|всего|総合計|合計|小計|総計|合计|小计|总计|總計|합계|총계|소계)[\s:\d.,]*(?:[([]?(?:EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|AUD|CAD|INR|BRL|[€$£¥])[)\]]?[\s:\d.,]*)?$/iu;

/**
 * Checks whether a text is nothing but the label of a total in one of many languages, perhaps with
 * a number, a year or a currency.
 */
export function isTotalLabel(text: string): boolean {
  return label.test(text);
}

/**
 * Checks whether a row is a total: its name is a label, and no other cell identifies an
 * organization. TotalEnergies, "Total Ltd", and TOTAL with a country are companies.
 */
export function isTotalRow(values: Readonly<Partial<Record<Field, string>>>): boolean {
  const { name } = values;
  if (name === undefined || !isTotalLabel(name)) return false;
  for (const field in values) if (field !== 'name' && field !== 'currency') return false;
  return true;
}
