/*
 * Schemas of the resources in section 2 of the specification and of the request body in section
 * 4.1. Reading is lenient: each field may be absent or null, and unknown fields and values pass
 * through. Writing is strict. The types in the neighboring files document each field.
 */
import * as z from 'zod/mini';

const text = z.nullish(z.string());
/* JSON.parse rounds a number above 2^53 to the id of another organization; `z.int` rejects it. */
const id = z.nullish(z.union([z.string(), z.int()]));
const number = z.nullish(z.number());
const flag = z.nullish(z.boolean());
const list = <Item extends z.ZodMiniType>(item: Item) => z.nullish(z.array(item));
const object = <Shape extends z.ZodMiniType>(shape: Shape) => z.nullish(shape);

/** Known statuses of research (section 3 and live services). Any other string is also valid. */
export const knownStatuses = [
  'created',
  'locating',
  'located',
  'enriching',
  'enriched',
  'resolving',
  'unresolved',
  'researching',
  'resolved',
  'calculating',
  'waiting',
  'synced',
  'errored',
] as const;

/** Values of `industry_rank` and `region_rank` (section 2.1). */
export const ranks = ['very_high', 'high', 'medium', 'low', 'very_low', 'unknown'] as const;

/** Field names of the 15 scope 3 categories, in the order of the GHG Protocol. */
export const scope3Categories = [
  'purchased_goods_and_services',
  'capital_goods',
  'fuel_and_energy_related_activities',
  'upstream_transportation_and_distribution',
  'waste_generated_in_operations',
  'business_travel',
  'employee_commute',
  'upstream_leased_assets',
  'downstream_transportation_and_distribution',
  'processing_of_sold_products',
  'use_of_sold_products',
  'end_of_life_treatment_of_sold_products',
  'downstream_leased_assets',
  'franchises',
  'investments',
] as const;

const category = number;

/** Schema of `Emissions` (section 2.4). */
export const emissionsSchema = z.looseObject({
  scope_1: object(
    z.looseObject({
      total: number,
      stationary_combustion: number,
      mobile_combustion: number,
      fugitive_emissions: number,
      process_emissions: number,
      sum: number,
    }),
  ),
  scope_2: object(
    z.looseObject({
      total: number,
      purchased_electricity: number,
      purchased_steam: number,
      purchased_heat: number,
      purchased_cooling: number,
      total_location_based: number,
      total_market_based: number,
      sum: number,
    }),
  ),
  scope_1_and_2: object(
    z.looseObject({ total: number, total_location_based: number, total_market_based: number }),
  ),
  scope_3: object(
    z.looseObject({
      total: number,
      sum: number,
      purchased_goods_and_services: category,
      capital_goods: category,
      fuel_and_energy_related_activities: category,
      upstream_transportation_and_distribution: category,
      waste_generated_in_operations: category,
      business_travel: category,
      employee_commute: category,
      upstream_leased_assets: category,
      downstream_transportation_and_distribution: category,
      processing_of_sold_products: category,
      use_of_sold_products: category,
      end_of_life_treatment_of_sold_products: category,
      downstream_leased_assets: category,
      franchises: category,
      investments: category,
    }),
  ),
  total: number,
  sum: number,
});

/** Schema of `Performance` (section 2.4). */
export const performanceSchema = z.looseObject({
  year: number,
  region: text,
  emission_factor: number,
  total_upstream_emission_factor: number,
  scope_1_and_2_emission_factor: number,
  revenue_currency: text,
  revenue: number,
  emissions: object(emissionsSchema),
  production_emission_factors: z.optional(z.unknown()),
  documents: z.optional(z.unknown()),
});

/** Schema of `Industry` (section 2.2). */
export const industrySchema = z.looseObject({
  id,
  name: text,
  mean_score: number,
  performances: list(z.unknown()),
});

const named = z.looseObject({ value: text });

/** Schema of `MatchingOrganization` (section 2.3). */
export const matchingOrganizationSchema = z.looseObject({
  id,
  link: text,
  name: text,
  names: list(named),
  websites: list(named),
  hq_region: text,
  hq_subregion: text,
  industry: object(z.looseObject({ id, name: text })),
  tickers: list(z.looseObject({ exchange: text, symbol: text })),
});

/** Schema of `Source` (section 2.5). */
export const sourceSchema = z.looseObject({ url: text, mirror_url: text });

/** Schema of `Cdp` (section 2.6). */
export const cdpSchema = z.looseObject({ last_retrieved_at: text, is_listed: flag, url: text });

/** Schema of `SbtiTarget` (section 2.7). */
export const sbtiTargetSchema = z.looseObject({
  created_at: text,
  retrieved_at: text,
  near_term: object(z.looseObject({ has_target: flag, target_status: text })),
  long_term: object(z.looseObject({ has_target: flag, target: text, year: number })),
  net_zero: object(z.looseObject({ has_target: flag, target_year: number })),
  business_ambition_1_5: object(z.looseObject({ has_target: flag, joined_at: text })),
  target_detail: text,
});

/** Schema of `Sbti` (section 2.7). */
export const sbtiSchema = z.looseObject({ last_retrieved_at: text, data: list(sbtiTargetSchema) });

/** Schema of `Un` (section 2.8). */
export const unSchema = z.looseObject({
  last_retrieved_at: text,
  url: text,
  initiatives: list(z.looseObject({ name: text, slug: text })),
});

/** Schema of `ClimatePledge` (section 2.9). */
export const climatePledgeSchema = z.looseObject({ signed: flag, signed_at: text, link: text });

/** Schema of `Organization` (section 2.1). */
export const organizationSchema = z.looseObject({
  id,
  name: text,
  hq_region: text,
  hq_subregion: text,
  industry: object(industrySchema),
  website: text,
  external_id: text,
  status: text,
  matching_organization: object(matchingOrganizationSchema),
  performances: list(performanceSchema),
  sources: list(sourceSchema),
  score: number,
  industry_score_percentile: number,
  industry_confidence: text,
  industry_rank: text,
  region_rank: text,
  related_environmental_report_status: text,
  cdp: object(cdpSchema),
  sbti: object(sbtiSchema),
  un: object(unSchema),
  climate_pledge: object(climatePledgeSchema),
});

/**
 * Schema of the members that a footprint reads of many records. Its figures are of any type.
 */
export const factorRecordSchema = z.looseObject({
  id,
  name: text,
  hq_region: text,
  external_id: text,
  status: text,
  industry: object(z.looseObject({ performances: list(z.unknown()) })),
  performances: list(
    z.looseObject({
      year: number,
      region: text,
      revenue_currency: text,
      emissions: object(z.looseObject({})),
    }),
  ),
  sbti: object(sbtiSchema),
});

/** Schema of `ErrorBody` (section 2.10). */
export const errorBodySchema = z.looseObject({
  status: z.nullish(z.union([z.number(), z.string()])),
  title: text,
  detail: text,
  id,
});

/** Schema of `Identifier` (section 4.1 and live services); rejects unknown fields. */
export const identifierSchema = z.strictObject({
  name: z.string().check(z.minLength(1)),
  hq_region: z.optional(z.string()),
  hq_subregion: z.optional(z.string()),
  hq_fuzzy: z.optional(z.string()),
  industry_id: z.optional(z.string()),
  industry_name: z.optional(z.string()),
  website: z.optional(z.string()),
  external_id: z.optional(z.string()),
  is_legal_entity_name: z.optional(z.boolean()),
  duns_number: z.optional(z.string()),
  lei_number: z.optional(z.string()),
  isin_number: z.optional(z.string()),
  sp_global_number: z.optional(z.string()),
  currency: z.optional(z.string()),
});

export type * from './emission-types.ts';
export type { ErrorBody, Identifier, Registration } from './identifier-types.ts';
export type * from './record-types.ts';
