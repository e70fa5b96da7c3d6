import type { Identifier } from '../api/schema.ts';
import { folded } from './identity.ts';
import { pick } from './random.ts';

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

type Row = readonly [string, number, number, number, number, keyof typeof sectors, RegExp];
const rows: readonly [Row, ...Row[]] = [
  ['Air transport', 0.34, 0.92, 0.008, 0.34, 'transport', /air(line|ways)|aviation|\bair\b/u],
  [
    'Apparel and textiles',
    0.44,
    0.018,
    0.03,
    0.52,
    'consumer',
    /textil|apparel|fashion|wear\b|clothing/u,
  ],
  [
    'Automobiles and parts',
    0.47,
    0.02,
    0.03,
    1.25,
    'manufacturing',
    /motor|automotive|\bcars?\b|vehicle/u,
  ],
  ['Banking', 0.55, 0.0015, 0.004, 0.16, 'finance', /bank|credit union|sparkasse/u],
  ['Beverages', 0.5, 0.04, 0.035, 0.38, 'consumer', /beverage|brew|brau|wine|drinks|distill/u],
  [
    'Cement and building materials',
    0.28,
    3.6,
    0.28,
    0.8,
    'heavy',
    /cement|concrete|zement|brick|aggregates/u,
  ],
  ['Chemicals', 0.41, 0.48, 0.2, 0.95, 'heavy', /chem|polymer|plastic|coating/u],
  [
    'Construction and engineering',
    0.42,
    0.06,
    0.015,
    0.6,
    'manufacturing',
    /construct|\bbau|engineering|builders/u,
  ],
  ['Electric utilities', 0.39, 2.1, 0.05, 0.9, 'energy', /electric|power|utilit|stadtwerke|energ/u],
  [
    'Electronics and semiconductors',
    0.53,
    0.03,
    0.07,
    0.3,
    'manufacturing',
    /electron|semicon|micro|chips?\b/u,
  ],
  [
    'Food products',
    0.43,
    0.08,
    0.05,
    0.9,
    'consumer',
    /food|dairy|bak(ery|ing)|meat|farm|nahrung/u,
  ],
  ['Insurance', 0.54, 0.001, 0.003, 0.11, 'finance', /insur|versicherung|assuranc|mutual/u],
  [
    'Logistics and road freight',
    0.4,
    0.36,
    0.012,
    0.26,
    'transport',
    /logisti|freight|shipping|transport|spedition/u,
  ],
  [
    'Machinery',
    0.46,
    0.02,
    0.03,
    0.85,
    'manufacturing',
    /machin|maschinen|tools?\b|pumps?\b|robot/u,
  ],
  ['Oil and gas', 0.27, 0.36, 0.045, 2.6, 'energy', /\boil\b|\bgas\b|petrol|drilling/u],
  ['Paper and packaging', 0.42, 0.34, 0.2, 0.48, 'heavy', /paper|packag|pulp|papier/u],
  ['Pharmaceuticals', 0.58, 0.02, 0.03, 0.2, 'manufacturing', /pharma|biotech|therap|medic/u],
  [
    'Professional services',
    0.57,
    0.004,
    0.008,
    0.08,
    'services',
    /consult|partners|advis|legal|audit/u,
  ],
  ['Real estate', 0.51, 0.012, 0.05, 0.25, 'services', /real estate|propert|immobil|realty/u],
  ['Retail', 0.48, 0.014, 0.03, 0.6, 'consumer', /retail|store|market|shop|supermarch/u],
  [
    'Software',
    0.61,
    0.001,
    0.008,
    0.06,
    'services',
    /software|cloud|data|digital|systems|\bapps?\b|\bai\b/u,
  ],
  ['Steel and metals', 0.3, 1.6, 0.34, 0.9, 'heavy', /steel|stahl|metal|alumin|foundry|mining/u],
  [
    'Telecommunications',
    0.56,
    0.006,
    0.05,
    0.15,
    'services',
    /telecom|telekom|mobile|network|broadband/u,
  ],
  ['Water and waste', 0.4, 0.5, 0.09, 0.22, 'energy', /water|waste|recycl|entsorgung/u],
];

const toIndustry = (
  [name, meanScore, scope1, scope2, scope3, sector, clue]: Row,
  index: number,
): Industry => ({
  id: 101 + index,
  name,
  meanScore,
  perDollar: [scope1, scope2, scope3],
  sector: sectors[sector],
  clue,
});

/** The industries of the sandbox, with invented scores and plausible intensities. */
export const industries: readonly [Industry, ...Industry[]] = [
  toIndustry(rows[0], 0),
  ...rows.slice(1).map((row, index) => toIndustry(row, index + 1)),
];

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
