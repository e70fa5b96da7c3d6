/*
 * The resources in section 2 of the specification: what each field means and which values it may
 * have. The types, the reader of records and the zod schema come from here.
 *
 * Reading is lenient: each field may be absent or null, and unknown fields and values pass through.
 * The fields are plain data, because every command that reads records would wait for zod.
 */

/** The kinds of value of a field; `Field.kinds` is a sum of these. */
export const kinds = {
  text: 1,
  number: 2,
  /** JSON.parse rounds a number above 2^53 to the ID of another organization. */
  integer: 4,
  boolean: 8,
  null: 16,
  undefined: 32,
  any: 64,
};

/** The meaning of a value and what it may be. */
export interface Field<Value = unknown> {
  /** Empty for the items of a list and for the record itself. */
  readonly description: string;
  /** Sum of the accepted `kinds`, except lists and objects. */
  readonly kinds: number;
  /** The items of a list; undefined if the value must be no list. */
  readonly item?: Field | undefined;
  /** The members of an object, which may have others too; undefined if the value must be none. */
  readonly members?: ReadonlyMap<string, Field> | undefined;
  /** Never set: the type of the value. */
  readonly value?: Value;
}

type Shape = Readonly<Record<string, Field>>;
type ValueOf<Of> = Of extends Field<infer Value> ? Value : never;
type Members<Of extends Shape> = { readonly [Name in keyof Of]?: ValueOf<Of[Name]> };
type Nullish<Value> = Value | null | undefined;

const absent = kinds.null + kinds.undefined;

/* All fields have one shape, because the reader of records is faster with it. */
const field = <Value>(
  description: string,
  accepted: number,
  item?: Field,
  members?: Shape,
): Field<Value> => ({
  description,
  kinds: accepted,
  item,
  members: members && new Map(Object.entries(members)),
});

const scalar =
  <Value>(kind: number) =>
  (description: string) =>
    field<Nullish<Value>>(description, kind + absent);

const text = scalar<string>(kinds.text);
const id = scalar<string | number>(kinds.text + kinds.integer);
const number = scalar<number>(kinds.number);
const flag = scalar<boolean>(kinds.boolean);
const anything = scalar<unknown>(kinds.any);

const members = <Of extends Shape>(shape: Of) => field<Members<Of>>('', 0, undefined, shape);
const object = <Of extends Shape>(description: string, shape: Of) =>
  field<Nullish<Members<Of>>>(description, absent, undefined, shape);
const list = <Item>(description: string, item: Field<Item>) =>
  field<Nullish<readonly Item[]>>(description, absent, item);

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

const scope3Shape = {
  purchased_goods_and_services: number('Category 1: purchased goods and services'),
  capital_goods: number('Category 2: capital goods'),
  fuel_and_energy_related_activities: number('Category 3: fuel and energy related activities'),
  upstream_transportation_and_distribution: number(
    'Category 4: upstream transportation and distribution',
  ),
  waste_generated_in_operations: number('Category 5: waste generated in operations'),
  business_travel: number('Category 6: business travel'),
  employee_commute: number('Category 7: employee commute'),
  upstream_leased_assets: number('Category 8: upstream leased assets'),
  downstream_transportation_and_distribution: number(
    'Category 9: downstream transportation and distribution',
  ),
  processing_of_sold_products: number('Category 10: processing of sold products'),
  use_of_sold_products: number('Category 11: use of sold products'),
  end_of_life_treatment_of_sold_products: number(
    'Category 12: end of life treatment of sold products',
  ),
  downstream_leased_assets: number('Category 13: downstream leased assets'),
  franchises: number('Category 14: franchises'),
  investments: number('Category 15: investments'),
};

/** Field names of the 15 scope 3 categories, in the order of the GHG Protocol. */
export const scope3Categories = Object.keys(scope3Shape) as (keyof typeof scope3Shape)[];

const emissions = object('Emissions of the year by scope; the unit is not documented', {
  scope_1: object('Direct emissions', {
    total: number('Total as disclosed'),
    stationary_combustion: number('Stationary combustion, such as heating'),
    mobile_combustion: number('Mobile combustion, such as vehicles'),
    fugitive_emissions: number('Fugitive emissions, such as leaks of refrigerants'),
    process_emissions: number('Industrial processes'),
    sum: number('Sum of the disclosed parts'),
  }),
  scope_2: object('Emissions from purchased energy', {
    total: number('Total as disclosed'),
    purchased_electricity: number('Purchased electricity'),
    purchased_steam: number('Purchased steam'),
    purchased_heat: number('Purchased heat'),
    purchased_cooling: number('Purchased cooling'),
    total_location_based: number('Total by the average emissions of the local grid'),
    total_market_based: number('Total by the contracts for the purchased energy'),
    sum: number('Sum of the disclosed parts'),
  }),
  scope_1_and_2: object('Scopes 1 and 2 combined', {
    total: number('Total as disclosed'),
    total_location_based: number('Total with scope 2 location-based'),
    total_market_based: number('Total with scope 2 market-based'),
  }),
  scope_3: object('Value-chain emissions by the categories of the GHG Protocol', {
    total: number('Total as disclosed'),
    sum: number('Sum of the disclosed parts'),
    ...scope3Shape,
  }),
  total: number('Total of all scopes as disclosed'),
  sum: number('Sum of the disclosed scopes'),
});

const performance = members({
  year: number('Calendar year, such as 2024'),
  region: text('Region of the figures; the format is not documented'),
  emission_factor: number('Total emissions divided by revenue, in revenue_currency'),
  total_upstream_emission_factor: number(
    'Emissions of the upstream value chain divided by revenue, in revenue_currency',
  ),
  scope_1_and_2_emission_factor: number(
    'Emissions of scopes 1 and 2 divided by revenue, in revenue_currency',
  ),
  revenue_currency: text('ISO 4217 code of the currency of revenue and emission factors'),
  revenue: number('Revenue of the year, in revenue_currency'),
  emissions,
  production_emission_factors: anything(
    'Emission factors of production; the format is not documented',
  ),
  documents: anything('Documents that contain the figures; the format is not documented'),
});

const named = members({ value: text('The name or website') });

const matchingOrganization = object('Organization in the reference data that this one matches', {
  id: id('ID in the reference data'),
  link: text('Address of the entry in the reference data'),
  name: text('Name of the organization'),
  names: list('Other names of the organization', named),
  websites: list('Websites of the organization', named),
  hq_region: text('Country of the headquarters, ISO 3166-1 alpha-2'),
  hq_subregion: text('Subregion of the headquarters, ISO 3166-2 without the country'),
  industry: object('Industry of the organization', {
    id: id('Identifier of the industry'),
    name: text('Name of the industry'),
  }),
  tickers: list(
    'Listings at stock exchanges',
    members({ exchange: text('Stock exchange'), symbol: text('Symbol at the exchange') }),
  ),
});

const sbtiTarget = members({
  created_at: text('Date of the record, YYYY-MM-DD'),
  retrieved_at: text('Date of the retrieval, YYYY-MM-DD'),
  near_term: object('Near-term target', {
    has_target: flag('Whether the organization has such a target'),
    target_status: text('Status of the target: set, committed, removed or none'),
  }),
  long_term: object('Long-term target', {
    has_target: flag('Whether the organization has such a target'),
    target: text('Warming that the target is aligned with, in °C: 1.5 or 2'),
    year: number('Year of the target'),
  }),
  net_zero: object('Net-zero target', {
    has_target: flag('Whether the organization has such a target'),
    target_year: number('Year of the target'),
  }),
  business_ambition_1_5: object('Membership of the campaign Business Ambition for 1.5 °C', {
    has_target: flag('Whether the organization has such a target'),
    joined_at: text('Date of joining, YYYY-MM-DD'),
  }),
  target_detail: text('Target in words'),
});

const sbti = object('Targets with the Science Based Targets initiative', {
  last_retrieved_at: text('Date of the last retrieval, YYYY-MM-DD'),
  data: list('Target records', sbtiTarget),
});

/** The fields of a record (section 2.1). */
export const organization = members({
  id: id('ID of the organization'),
  name: text('Name of the organization'),
  hq_region: text('Country of the registered headquarters, ISO 3166-1 alpha-2, such as DE'),
  hq_subregion: text('Subregion of the headquarters, ISO 3166-2 without the country, such as OH'),
  industry: object('Industry of the organization', {
    id: id('Identifier of the industry'),
    name: text('Name of the industry'),
    mean_score: number('Mean score of the industry, from 0 (worst) to 1 (best)'),
    performances: list(
      'Figures of the industry by year; the format is not documented',
      anything(''),
    ),
  }),
  website: text('Website or email address of the organization'),
  external_id: text('Identifier of a customer or a third party, such as a supplier number'),
  status: text(
    'Status of the research: synced or errored when it has ended, any other value while it is in progress',
  ),
  matching_organization: matchingOrganization,
  performances: list('Emissions and revenue by year', performance),
  sources: list(
    'Sources that the record was built from',
    members({
      url: text('Address of the source'),
      mirror_url: text('Address of a copy of the source'),
    }),
  ),
  score: number('Score from 0 (worst) to 1 (best)'),
  industry_score_percentile: number('Percentile of the score within the industry, from 0 to 100'),
  industry_confidence: text(
    'Confidence in the assumptions about the industry: low, medium or high',
  ),
  industry_rank: text(`Rank of the industry among all industries: ${ranks.join(', ')}`),
  region_rank: text(`Rank of the region among all regions: ${ranks.join(', ')}`),
  related_environmental_report_status: text(
    'Status of the environmental report: processing, found or not_found',
  ),
  cdp: object('Listing in the CDP disclosure system', {
    last_retrieved_at: text('Date of the last retrieval, YYYY-MM-DD'),
    is_listed: flag('Whether CDP lists the organization'),
    url: text('Address of the listing'),
  }),
  sbti,
  un: object('Participation in initiatives of the United Nations', {
    last_retrieved_at: text('Date of the last retrieval, YYYY-MM-DD'),
    url: text('Address of the entry'),
    initiatives: list(
      'The initiatives',
      members({
        name: text('Name of the initiative'),
        slug: text('Short name of the initiative for addresses'),
      }),
    ),
  }),
  climate_pledge: object('Commitment to The Climate Pledge', {
    signed: flag('Whether the organization signed the pledge'),
    signed_at: text('Date of signing, YYYY-MM-DD'),
    link: text('Address of the entry'),
  }),
});

/** Record of an organization (section 2.1). Every field may be absent or null. */
export type Organization = ValueOf<typeof organization>;

/** Emissions and revenue of one year (section 2.4). */
export type Performance = ValueOf<typeof performance>;

/** Emissions of one year by scope (section 2.4). */
export type Emissions = NonNullable<Performance['emissions']>;

/** Emissions of the value chain (section 2.4). */
export type Scope3 = NonNullable<Emissions['scope_3']>;

/** Target record of the Science Based Targets initiative (section 2.7). */
export type SbtiTarget = ValueOf<typeof sbtiTarget>;
