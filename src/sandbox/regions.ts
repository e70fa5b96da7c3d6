import type { Identifier } from '../api/schema.ts';
import { pick } from './random.ts';

const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW ' +
  'BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI ' +
  'FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN ' +
  'IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME ' +
  'MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF ' +
  'PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV ' +
  'SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE ' +
  'XK YT ZA ZM ZW';

/** Every ISO 3166-1 alpha-2 country code, and XK, the common code for Kosovo. */
export const regionCodes: ReadonlySet<string> = new Set(codes.split(' '));

const regionsByRank = {
  very_high: 'AT CH DK FI FR IS NO SE',
  high: 'BE DE EE ES GB IE IT LU NL NZ PT SI',
  medium: 'CA CL CR CZ GR HR HU JP KR LT LV SK US UY',
  low: 'AR AU BG BR CN CO IL MX MY PE PL RO SG TH TR TW ZA',
  very_low: 'AE BD EG ID IN KW KZ NG PK QA RU SA VN',
};
const rankOfRegion = new Map(
  Object.entries(regionsByRank).flatMap(([rank, regions]) =>
    regions.split(' ').map((code) => [code, rank]),
  ),
);

/** Returns the `region_rank` of a country (section 2.1), which is invented but stable. */
export function regionRank(region: string | undefined): string {
  return (region && rankOfRegion.get(region)) ?? 'unknown';
}

// "Pty Ltd" precedes "Ltd", because the first match counts.
const legalForms: readonly (readonly [RegExp, string])[] = [
  [/,? pty\.? (ltd|limited)\.?$/iu, 'AU'],
  [/ (ag|gmbh|gmbh & co\.? kg|ag & co\.? kgaa|kgaa|se)$/iu, 'DE'],
  [/,? (inc|corp|corporation|llc|(& )?co|company)\.?$/iu, 'US'],
  [/,? (ltd|limited|plc|llp)\.?$/iu, 'GB'],
  [/ (s\.?a\.?s\.?|sarl|s\.?a\.?)$/iu, 'FR'],
  [/ (s\.?p\.?a\.?|s\.?r\.?l\.?)$/iu, 'IT'],
  [/ (s\.?l\.?u?\.?)$/iu, 'ES'],
  [/ (b\.?v\.?|n\.?v\.?)$/iu, 'NL'],
  [/ (ab|aktiebolag)$/iu, 'SE'],
  [/ (oyj?)$/iu, 'FI'],
  [/ (a\/s|aps)$/iu, 'DK'],
  [/ (asa?)$/iu, 'NO'],
  [/ (k\.?k\.?|kabushiki kaisha)$/iu, 'JP'],
  [/ (sp\. z o\.o\.)$/iu, 'PL'],
  [/ (ltda\.?)$/iu, 'BR'],
];

/** Removes the legal form from the end of a name. */
export function withoutLegalForm(name: string): string {
  return legalForms.reduce((shortened, [form]) => shortened.replace(form, ''), name);
}

const genericDomains = new Set([
  'AI',
  'CC',
  'CO',
  'FM',
  'GG',
  'IO',
  'LY',
  'ME',
  'SH',
  'TO',
  'TV',
  'WS',
]);

/**
 * Chooses the country that research finds: the given one, a country in `hq_fuzzy`, that of the
 * website's top-level domain or of the legal form, or a random one.
 */
export function locate(identifier: Identifier, random: () => number): string {
  if (identifier.hq_region) return identifier.hq_region.toUpperCase();
  return (
    namedIn(identifier.hq_fuzzy) ??
    domainCountry(identifier.website) ??
    legalForms.find(([form]) => form.test(identifier.name))?.[1] ??
    pick(random, [
      'US',
      'US',
      'US',
      'GB',
      'DE',
      'FR',
      'JP',
      'CA',
      'NL',
      'IT',
      'ES',
      'CH',
      'SE',
      'AU',
    ])
  );
}

let namesOfRegions: readonly (readonly [string, string])[] | undefined;

function namedIn(place: string | undefined): string | undefined {
  if (!place) return undefined;
  const upper = place.trim().toUpperCase();
  if (regionCodes.has(upper)) return upper;
  if (!namesOfRegions) {
    const names = new Intl.DisplayNames('en', { type: 'region' });
    const known = [...regionCodes].map(
      (code) => [(names.of(code) ?? code).toUpperCase(), code] as const,
    );
    // Longer names come first: "Equatorial Guinea" is not Guinea.
    namesOfRegions = [['USA', 'US'] as const, ['UK', 'GB'] as const, ...known].sort(
      ([a], [b]) => b.length - a.length,
    );
  }
  const words = ` ${upper.replace(/[^\p{L}\p{M}]+/gu, ' ')} `;
  return namesOfRegions.find(([name]) =>
    words.includes(` ${name.replace(/[^\p{L}\p{M}]+/gu, ' ')} `),
  )?.[1];
}

function domainCountry(website: string | undefined): string | undefined {
  const end = website?.match(/\.([a-z]{2})(?:[/:?#]|$)/iu)?.[1]?.toUpperCase();
  if (end === 'UK') return 'GB';
  return end && regionCodes.has(end) && !genericDomains.has(end) ? end : undefined;
}
