/* Invented but plausible facts about currencies, industries and countries. */
import { countryCode } from '../registration/countries.ts';
import type { Identifier } from '../registration/fields.ts';
import { isoCodes } from '../registration/iso-codes.ts';
import { folded, pick } from './identity.ts';

/* Units of each currency (ISO 4217) per US dollar. Fixed, so that records never change. */
const rates =
  'USD 1, AED 3.6725, ARS 980, AUD 1.52, BGN 1.81, BRL 5.4, CAD 1.37, CHF 0.88, CLP 935, ' +
  'CNY 7.2, COP 4050, CZK 23.2, DKK 6.89, EGP 48.5, EUR 0.924, GBP 0.786, HKD 7.8, HUF 366, ' +
  'IDR 16000, ILS 3.7, INR 83.5, JPY 152, KRW 1370, KWD 0.307, MXN 18.1, MYR 4.6, NGN 1550, ' +
  'NOK 10.7, NZD 1.65, PEN 3.75, PHP 57.5, PKR 278, PLN 3.97, RON 4.6, SAR 3.75, SEK 10.5, ' +
  'SGD 1.34, THB 36, TRY 33, TWD 32.3, UAH 41, VND 25300, ZAR 18.3';

/** Units of each currency per US dollar. */
export const ratesPerDollar: Readonly<Record<string, number>> = Object.fromEntries(
  rates.split(', ').map((rate) => [rate.slice(0, 3), Number(rate.slice(4))]),
);

/** The currency of a response if the request names none. */
export const defaultCurrency = 'USD';

/** Returns the code of a supported currency in upper case; undefined for any other one. */
export function knownCurrency(code: string): string | undefined {
  const upper = code.toUpperCase();
  return Object.hasOwn(ratesPerDollar, upper) ? upper : undefined;
}

/** Converts US dollars to a supported currency. */
export function fromDollars(dollars: number, currency: string): number {
  return dollars * (ratesPerDollar[currency] ?? 1);
}

/** The composition of a sector's emissions: weights in the order of the GHG Protocol. */
export interface Sector {
  /** Stationary combustion, mobile combustion, fugitive emissions, process emissions. */
  readonly scope1: readonly number[];
  /** The 15 categories of scope 3; a weight of 0 means that the category does not apply. */
  readonly scope3: readonly number[];
}

const sectors = {
  consumer: { scope1: [50, 35, 15, 0], scope3: [62, 5, 3, 9, 2, 1, 3, 1, 5, 0, 6, 2, 0, 1, 0] },
  energy: {
    scope1: [75, 3, 20, 2],
    scope3: [10, 5, 12, 3, 0.5, 0.3, 0.4, 0, 3, 0, 64, 0, 0.8, 0, 1],
  },
  finance: {
    scope1: [55, 30, 15, 0],
    scope3: [6, 1, 0.5, 0.2, 0.1, 1, 1, 0.2, 0, 0, 0, 0, 0, 0, 90],
  },
  heavy: { scope1: [50, 5, 5, 40], scope3: [45, 6, 14, 8, 2, 0.5, 1, 0, 7, 12, 3, 1.5, 0, 0, 0] },
  manufacturing: {
    scope1: [60, 20, 10, 10],
    scope3: [42, 4, 3, 6, 1, 0.8, 1.2, 0.3, 5, 1, 33, 2.5, 0.2, 0, 0],
  },
  services: { scope1: [40, 45, 15, 0], scope3: [60, 12, 3, 3, 1, 9, 9, 2, 0, 0, 1, 0, 0, 0, 0] },
  transport: { scope1: [2, 96, 2, 0], scope3: [25, 12, 35, 5, 1, 2, 4, 6, 2, 0, 0, 0, 6, 2, 0] },
} satisfies Record<string, Sector>;

/** An industry of the sandbox. */
export interface Industry {
  readonly id: number;
  readonly name: string;
  /** From 0 (worst) to 1 (best). */
  readonly meanScore: number;
  /** Emissions of each scope per US dollar of revenue. */
  readonly perDollar: readonly [scope1: number, scope2: number, scope3: number];
  readonly sector: Sector;
  /** Matches words in an organization's name that suggest the industry. */
  readonly clue: RegExp;
}

/* Name; mean score; emissions per dollar in scopes 1, 2 and 3; sector; words that suggest it. */
const table = String.raw`
Air transport; 0.34; 0.92 0.008 0.34; transport; air(line|ways)|aviation|\bair\b
Apparel and textiles; 0.44; 0.018 0.03 0.52; consumer; textil|apparel|fashion|wear\b|clothing
Automobiles and parts; 0.47; 0.02 0.03 1.25; manufacturing; motor|automotive|\bcars?\b|vehicle
Banking; 0.55; 0.0015 0.004 0.16; finance; bank|credit union|sparkasse
Beverages; 0.5; 0.04 0.035 0.38; consumer; beverage|brew|brau|wine|drinks|distill
Cement and building materials; 0.28; 3.6 0.28 0.8; heavy; cement|concrete|zement|brick|aggregates
Chemicals; 0.41; 0.48 0.2 0.95; heavy; chem|polymer|plastic|coating
Construction and engineering; 0.42; 0.06 0.015 0.6; manufacturing; construct|\bbau|engineering|builders
Electric utilities; 0.39; 2.1 0.05 0.9; energy; electric|power|utilit|stadtwerke|energ
Electronics and semiconductors; 0.53; 0.03 0.07 0.3; manufacturing; electron|semicon|micro|chips?\b
Food products; 0.43; 0.08 0.05 0.9; consumer; food|dairy|bak(ery|ing)|meat|farm|nahrung
Insurance; 0.54; 0.001 0.003 0.11; finance; insur|versicherung|assuranc|mutual
Logistics and road freight; 0.4; 0.36 0.012 0.26; transport; logisti|freight|shipping|transport|spedition
Machinery; 0.46; 0.02 0.03 0.85; manufacturing; machin|maschinen|tools?\b|pumps?\b|robot
Oil and gas; 0.27; 0.36 0.045 2.6; energy; \boil\b|\bgas\b|petrol|drilling
Paper and packaging; 0.42; 0.34 0.2 0.48; heavy; paper|packag|pulp|papier
Pharmaceuticals; 0.58; 0.02 0.03 0.2; manufacturing; pharma|biotech|therap|medic
Professional services; 0.57; 0.004 0.008 0.08; services; consult|partners|advis|legal|audit
Real estate; 0.51; 0.012 0.05 0.25; services; real estate|propert|immobil|realty
Retail; 0.48; 0.014 0.03 0.6; consumer; retail|store|market|shop|supermarch
Software; 0.61; 0.001 0.008 0.06; services; software|cloud|data|digital|systems|\bapps?\b|\bai\b
Steel and metals; 0.3; 1.6 0.34 0.9; heavy; steel|stahl|metal|alumin|foundry|mining
Telecommunications; 0.56; 0.006 0.05 0.15; services; telecom|telekom|mobile|network|broadband
Water and waste; 0.4; 0.5 0.09 0.22; energy; water|waste|recycl|entsorgung
`;

/** The industries of the sandbox, with invented scores and plausible intensities. */
export const industries = table
  .trim()
  .split('\n')
  .map((row, index): Industry => {
    const [name = '', meanScore, perDollar = '', sector, clue = ''] = row.split('; ');
    const [scope1 = 0, scope2 = 0, scope3 = 0] = perDollar.split(' ').map(Number);
    return {
      id: 101 + index,
      name,
      meanScore: Number(meanScore),
      perDollar: [scope1, scope2, scope3],
      sector: sectors[sector as keyof typeof sectors],
      clue: new RegExp(clue, 'u'),
    };
  }) as [Industry, ...Industry[]];

const fromBest = industries.toSorted((a, b) => b.meanScore - a.meanScore);
const ranksFromBest = ['very_high', 'high', 'medium', 'low', 'very_low'];

/** Returns the `industry_rank` of an industry (section 2.1): its quintile by mean score. */
export function industryRank(industry: Industry): string {
  return ranksFromBest[Math.floor((fromBest.indexOf(industry) * 5) / fromBest.length)] ?? 'unknown';
}

/** Chooses the industry of an organization, with its `industry_confidence` (section 2.1). */
export function classify(
  identifier: Identifier,
  random: () => number,
): { industry: Industry; confidence: 'high' | 'medium' | 'low' } {
  const drawn = pick(random, industries);
  const given =
    industries.find(({ id }) => String(id) === identifier.industry_id) ??
    inWords(identifier.industry_name);
  if (given) return { industry: given, confidence: 'high' };
  const guessed = inWords(identifier.name);
  return guessed
    ? { industry: guessed, confidence: 'medium' }
    : { industry: drawn, confidence: 'low' };
}

function inWords(text: string | undefined): Industry | undefined {
  if (!text) return undefined;
  const words = folded(text);
  return (
    industries.find(({ name }) => name.toLowerCase() === words) ??
    industries.find(({ clue }) => clue.test(words))
  );
}

/** Every ISO 3166-1 alpha-2 country code, and XK, the common code for Kosovo. */
export const regionCodes: ReadonlySet<string> = new Set([...isoCodes, 'XK']);

const regionsByRank = {
  very_high: 'AT CH DK FI FR IS NO SE',
  high: 'BE DE EE ES GB IE IT LU NL NZ PT SI',
  medium: 'CA CL CR CZ GR HR HU JP KR LT LV SK US UY',
  low: 'AR AU BG BR CN CO IL MX MY PE PL RO SG TH TR TW ZA',
  very_low: 'AE BD EG ID IN KW KZ NG PK QA RU SA VN',
};

/** Returns the `region_rank` of a country (section 2.1), which is invented but stable. */
export function regionRank(region: string | undefined): string {
  const ranks = Object.entries(regionsByRank);
  return ranks.find(([, regions]) => region && regions.includes(region))?.[0] ?? 'unknown';
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

const genericDomains = new Set('AI CC CO FM GG IO LY ME SH TO TV WS'.split(' '));

/* The United States three times as often as the others. */
const commonRegions = 'US US US GB DE FR JP CA NL IT ES CH SE AU'.split(' ') as [
  string,
  ...string[],
];

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
    pick(random, commonRegions)
  );
}

function namedIn(place = ''): string | undefined {
  const codes = place.split(',').map((part) => countryCode(part.trim()));
  return codes.find((code) => code !== undefined);
}

function domainCountry(website: string | undefined): string | undefined {
  const end = website?.match(/\.([a-z]{2})(?:[/:?#]|$)/iu)?.[1]?.toUpperCase();
  if (end === 'UK') return 'GB';
  return end && regionCodes.has(end) && !genericDomains.has(end) ? end : undefined;
}
