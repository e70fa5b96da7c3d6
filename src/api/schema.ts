/*
 * The wire: every resource of the specification's section 2 and the request body of section 4.1.
 * Reading is generous: each field may be absent or null, unknown fields and unknown values of known
 * fields pass through. Writing is strict. The types of what they read are beside them, with a
 * description of each field.
 */
import * as z from 'zod/mini';

const text = z.nullish(z.string());
/* JSON.parse rounds a number above 2^53 to that of another organization; `z.int` refuses it. */
const id = z.nullish(z.union([z.string(), z.int()]));
const number = z.nullish(z.number());
const flag = z.nullish(z.boolean());
const list = <Item extends z.ZodMiniType>(item: Item) => z.nullish(z.array(item));
const one = <Shape extends z.ZodMiniType>(shape: Shape) => z.nullish(shape);

/**
 * Statuses that services are known to send (section 3 and live services); any other string is valid
 * too.
 */
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

/** The values of `industry_rank` and `region_rank` (section 2.1). */
export const ranks = ['very_high', 'high', 'medium', 'low', 'very_low', 'unknown'] as const;

/**
 * The 15 scope 3 categories of the GHG Protocol, in the protocol's order, by the service's names.
 */
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

/**
 * Emissions of one year: `total` as disclosed, `sum` of the disclosed parts. No unit is documented.
 */
export const emissionsSchema = z.looseObject({
  scope_1: one(
    z.looseObject({
      total: number,
      stationary_combustion: number,
      mobile_combustion: number,
      fugitive_emissions: number,
      process_emissions: number,
      sum: number,
    }),
  ),
  scope_2: one(
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
  scope_1_and_2: one(
    z.looseObject({ total: number, total_location_based: number, total_market_based: number }),
  ),
  scope_3: one(
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

/**
 * One year of an organization (section 2.4). Revenue and factors are in `revenue_currency` (ISO
 * 4217).
 */
export const performanceSchema = z.looseObject({
  year: number,
  region: text,
  emission_factor: number,
  total_upstream_emission_factor: number,
  scope_1_and_2_emission_factor: number,
  revenue_currency: text,
  revenue: number,
  emissions: one(emissionsSchema),
  production_emission_factors: z.optional(z.unknown()),
  documents: z.optional(z.unknown()),
});

/** The industry of an organization (section 2.2); `mean_score` from 0 (worst) to 1 (best). */
export const industrySchema = z.looseObject({
  id,
  name: text,
  mean_score: number,
  performances: list(z.unknown()),
});

const named = z.looseObject({ value: text });

/**
 * The organization of the service's reference data that the registered one was matched to (section
 * 2.3).
 */
export const matchingOrganizationSchema = z.looseObject({
  id,
  link: text,
  name: text,
  names: list(named),
  websites: list(named),
  hq_region: text,
  hq_subregion: text,
  industry: one(z.looseObject({ id, name: text })),
  tickers: list(z.looseObject({ exchange: text, symbol: text })),
});

/** A document that the record was built from (section 2.5). */
export const sourceSchema = z.looseObject({ url: text, mirror_url: text });

/** CDP listing (section 2.6); dates are YYYY-MM-DD. */
export const cdpSchema = z.looseObject({ last_retrieved_at: text, is_listed: flag, url: text });

/** One target record of the Science Based Targets initiative (section 2.7). */
export const sbtiTargetSchema = z.looseObject({
  created_at: text,
  retrieved_at: text,
  near_term: one(z.looseObject({ has_target: flag, target_status: text })),
  long_term: one(z.looseObject({ has_target: flag, target: text, year: number })),
  net_zero: one(z.looseObject({ has_target: flag, target_year: number })),
  business_ambition_1_5: one(z.looseObject({ has_target: flag, joined_at: text })),
  target_detail: text,
});

/** SBTi data (section 2.7). */
export const sbtiSchema = z.looseObject({ last_retrieved_at: text, data: list(sbtiTargetSchema) });

/** United Nations initiatives that the organization takes part in (section 2.8). */
export const unSchema = z.looseObject({
  last_retrieved_at: text,
  url: text,
  initiatives: list(z.looseObject({ name: text, slug: text })),
});

/** The Climate Pledge (section 2.9). */
export const climatePledgeSchema = z.looseObject({ signed: flag, signed_at: text, link: text });

/** The record of an organization (section 2.1). */
export const organizationSchema = z.looseObject({
  id,
  name: text,
  hq_region: text,
  hq_subregion: text,
  industry: one(industrySchema),
  website: text,
  external_id: text,
  status: text,
  matching_organization: one(matchingOrganizationSchema),
  performances: list(performanceSchema),
  sources: list(sourceSchema),
  score: number,
  industry_score_percentile: number,
  industry_confidence: text,
  industry_rank: text,
  region_rank: text,
  related_environmental_report_status: text,
  cdp: one(cdpSchema),
  sbti: one(sbtiSchema),
  un: one(unSchema),
  climate_pledge: one(climatePledgeSchema),
});

/**
 * The body of every error answer (section 2.10): `title` is absent from the 404 of registration.
 */
export const errorBodySchema = z.looseObject({
  status: z.nullish(z.union([z.number(), z.string()])),
  title: text,
  detail: text,
  id,
});

/** The body of a registration (section 4.1, fields of live services). Only `name` is required. */
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
