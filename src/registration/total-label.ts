/* Recognizes the label of a total in several languages. */

const label =
  /^(?:grand total|sub-?total|totals?|total g[ée]n[ée]ral|total geral|overall result|sum|gesamt|gesamtsumme|gesamtergebnis|gesamtbetrag|insgesamt|summe(?: gesamt)?|endsumme|zwischensumme|totale|totale complessivo|somme|suma|suma total|totaal|総合計|合計|小計|総計|合计|小计|总计|합계)[\s:\d.,]*$/i;

/** Checks whether a text is the label of a total, not the name of an organization. */
export function isTotalLabel(text: string): boolean {
  return label.test(text);
}
