/*
 * Decides which values of a row are sent. A row's key depends on its cells (`identityKey`), so a
 * change here changes no key: journals of earlier versions still recognize their rows.
 */

import type { Mapping } from './columns.ts';
import type { Values } from './row-key.ts';

/** The values to send. */
export interface SentValues {
  readonly values: Values;
  /** A short country word that is sent as free text, because the column holds sales regions too. */
  readonly placeCode?: string | undefined;
}

/* These words are unambiguous in every column. */
const knownCodes = /^(?:USA?|UK|UAE)$/i;

/* Excel's errors of failed formulas in English, German, French, Spanish and Italian. */
const excelError =
  /^#(?:REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|GETTING_DATA|NV|WERT!|BEZUG!|ZAHL!|N\/D|VALEUR!|NOM\?|NOMBRE!|NUL!|¡VALOR!|¡REF!|¿NOMBRE\?|¡DIV\/0!|¡NUM!|¡NULO!|VALORE!|RIF!|NOME\?)$/i;
/* German for "not stated". As a name only in its usual spelling: K.A. may be an organization. */
const noStatement = /^k\. ?a\.?$/i;
const noStatementAsName = /^k\. ?A\.$/;
const plainNumber = /^[+-]?\d[\d.,'\s]*$/;

/** Drops placeholders from the values of a row, and moves ambiguous country codes to free text. */
export function sentValues(given: Values, mapping: Mapping): SentValues {
  const values = withoutMissing(given);
  const { hq_region: region, ...others } = values;
  if (mapping.hasPlaces !== true || region === undefined || !isPlaceCode(region)) return { values };
  const text = [values.hq_fuzzy, region].filter(Boolean).join(', ');
  return { values: { ...others, hq_fuzzy: text }, placeCode: region };
}

/* Drops placeholders that `cellValue` keeps because they are part of keys in existing journals. */
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

/* LA, SA and ME are sales regions as well as countries; NA counts as missing. */
function isPlaceCode(region: string): boolean {
  const letters = region.replace(/[^\p{L}]/gu, '');
  return (
    /^[A-Za-z]{2,3}$/.test(letters) && !knownCodes.test(letters) && letters.toUpperCase() !== 'NA'
  );
}
