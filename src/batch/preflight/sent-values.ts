/*
 * What is sent of a row's values. A row is known by its cells (`identityKey`), so what is decided
 * here changes no key: a journal of an earlier version still knows its rows.
 */

import type { Mapping } from '../csv/columns.ts';
import type { Values } from '../csv/row-key.ts';

/** The values to send, and the country word among them that is no country code here. */
export interface SentValues {
  readonly values: Values;
  readonly placeCode?: string | undefined;
}

/* Unmistakable in every column. */
const knownCodes = /^(?:USA?|UK|UAE)$/i;

/* What Excel writes where a formula fails, in English, German, French, Spanish and Italian. */
const excelError =
  /^#(?:REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|GETTING_DATA|NV|WERT!|BEZUG!|ZAHL!|N\/D|VALEUR!|NOM\?|NOMBRE!|NUL!|¡VALOR!|¡REF!|¿NOMBRE\?|¡DIV\/0!|¡NUM!|¡NULO!|VALORE!|RIF!|NOME\?)$/i;
/* "keine Angabe": as a name only in the usual spelling, for K.A. may be an organization. */
const noStatement = /^k\. ?a\.?$/i;
const noStatementAsName = /^k\. ?A\.$/;
const plainNumber = /^[+-]?\d[\d.,'\s]*$/;

/**
 * Takes the values of a row's cells, and leaves out or rewrites what is not to be sent as it is.
 */
export function sentValues(given: Values, mapping: Mapping): SentValues {
  const values = withoutMissing(given);
  const { hq_region: region, ...others } = values;
  if (mapping.hasPlaces !== true || region === undefined || !isPlaceCode(region)) return { values };
  const text = [values.hq_fuzzy, region].filter(Boolean).join(', ');
  return { values: { ...others, hq_fuzzy: text }, placeCode: region };
}

/*
 * These words count as missing only here, and not in `cellValue`: they are in the keys of existing
 * journals.
 */
function withoutMissing(values: Values): Values {
  const cells = Object.entries(values);
  const kept = cells.filter(([field, value]) => !isMissing(field, value));
  return kept.length === cells.length ? values : Object.fromEntries(kept);
}

function isMissing(field: string, value: string): boolean {
  if (value.length > 15) return false;
  if (value.startsWith('#')) return excelError.test(value);
  if (field === 'hq_region' && plainNumber.test(value)) return true;
  return (field === 'name' ? noStatementAsName : noStatement).test(value);
}

/* LA, SA and ME are sales regions and countries; NA counts as missing. */
function isPlaceCode(region: string): boolean {
  const letters = region.replace(/[^\p{L}]/gu, '');
  return (
    /^[A-Za-z]{2,3}$/.test(letters) && !knownCodes.test(letters) && letters.toUpperCase() !== 'NA'
  );
}
