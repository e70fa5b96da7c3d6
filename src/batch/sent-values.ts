/*
 * What is sent of a row's values. A row is known by its cells (`identityKey`), so what is decided here changes no key: a
 * journal of an earlier version still knows its rows.
 */
import type { Values } from './key.ts';
import type { Mapping } from './mapping.ts';

/** The values to send, and the country word among them that is no country code here. */
export interface SentValues {
  readonly values: Values;
  readonly placeCode?: string | undefined;
}

/* Unmistakable in every column. */
const knownCodes = /^(?:USA?|UK|UAE)$/i;

/** Takes the values of a row's cells, and leaves out or rewrites what is not to be sent as it is. */
export function sentValues(values: Values, mapping: Mapping): SentValues {
  const { hq_region: region, ...others } = values;
  if (mapping.hasPlaces !== true || region === undefined || !isPlaceCode(region)) return { values };
  const text = [values.hq_fuzzy, region].filter(Boolean).join(', ');
  return { values: { ...others, hq_fuzzy: text }, placeCode: region };
}

/* LA, SA and ME are sales regions and countries; NA counts as missing. */
function isPlaceCode(region: string): boolean {
  const letters = region.replace(/[^\p{L}]/gu, '');
  return /^[A-Za-z]{2,3}$/.test(letters) && !knownCodes.test(letters) && letters.toUpperCase() !== 'NA';
}
