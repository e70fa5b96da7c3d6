/*
 * The resources in section 2 of docs/service.md: what each field means and which values it may
 * have. The types, the reader of files of records, the JSON Schema, the sandbox and the documents
 * follow from this schema.
 *
 * Reading is lenient: each field may be absent or null, and unknown fields and values pass through.
 * What creates a field, by what the specification gives:
 *
 *   its type                        number, text, flag, id; a score is `score`
 *   only its name (years, targets)  anyNumber, someText, anyFlag: other values pass, and are marked
 *   an object with typed members    object; as an item of a list, members
 *   the name of an object           anyObject, with the member that any other value stands for
 *   items without types             list(…, untypedMembers(…)); other lists: list(…, members(…))
 *   no form at all                  anything, in detail(…)
 */
import * as z from 'zod/mini';
import { isObject } from './ids.ts';
import { anyText, asMember, flagOrText, numberOrText } from './untyped.ts';
import { ranks, type Scope3Category, scope3Titles } from './vocabulary.ts';

function described<Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}

/*
 * Returns what creates a field, which may be absent or null, from its description. Another type
 * needs a line here, such as `const integer = fieldOf(() => z.int());`.
 */
const fieldOf =
  <Schema extends z.ZodMiniType>(create: () => Schema) =>
  (description: string) =>
    described(z.optional(z.nullable(create())), description);

const text = fieldOf(() => z.string());
/* JSON.parse rounds a number above 2^53 to the ID of another organization. */
const id = fieldOf(() => z.union([z.string(), z.int()]));
const number = fieldOf(() => z.number());
const flag = fieldOf(() => z.boolean());
const anything = (description: string) => described(z.optional(z.unknown()), description);

/** Fields that only `carbon get --full` shows, by their schema. */
export const details = new WeakSet<object>();

/** How `carbon get` shows a field of an object, or of a year, and the kind of its CSV column. */
export interface Shown {
  /** Undefined if `get` shows it in words of its own. */
  readonly section?: 'organization' | 'score' | 'commitments' | 'years';
  readonly kind: ShownKind;
  /** The name in its line, with the unit, as `water (m³)`; by default that of the field. */
  readonly label?: string;
  /** The title in the table of years; by default the label. */
  readonly title?: string;
}

/*
 * Those kinds of columns that a field may have without further words. `amount` is money in the
 * currency of the record; `count` is any other quantity, as tonnes or persons.
 */
type ShownKind =
  | 'text'
  | 'flag'
  | 'date'
  | 'rank'
  | 'year'
  | 'count'
  | 'amount'
  | 'score'
  | 'percentile'
  | 'factor';

/** What `shown` declares, by the schema of the field. */
export const shows = new WeakMap<object, Shown>();

/*
 * Shows a field in a section of `carbon get`, and in a CSV column before `synthetic`. A field of an
 * item of a list has no such place: `shown-fields.ts` rejects it.
 */
function shown<Schema extends z.ZodMiniType>(how: Shown, field: Schema): Schema {
  shows.set(field, how);
  return field;
}

/* A score is from 0 to 1 here and in JSON, and from 0 to 100 elsewhere. */
const score = (description: string) => shown({ kind: 'score' }, number(description));

/* Leaves a field, with its members, to `carbon get --full`. `carbon get` shows every other one. */
function detail<Schema extends z.ZodMiniType>(field: Schema): Schema {
  details.add(field);
  return field;
}

/** What is usual of a value whose type the specification does not give. */
interface Usual {
  readonly other: 'number' | 'text' | 'flag' | 'member' | undefined;
  /** The members of a usual object, and the one that another value stands for. */
  readonly object?: z.ZodMiniType;
  readonly main?: string;
}

/** Where any value passes, by its schema: a union would take five times as long to parse. */
export const usuals = new WeakMap<object, Usual>();

type Convert<Value> = (value: NonNullable<unknown>) => Value;
/* What becomes of a member, by its schema in the shape. */
const conversions = new WeakMap<object, Convert<unknown>>();

function passing<Value>(usual: Usual, description: string, convert: Convert<Value>) {
  const pass = z.transform((value: unknown) => (value == null ? null : convert(value)));
  const schema = z.pipe(z.unknown(), pass);
  usuals.set(schema, usual);
  const member = z.optional(schema);
  conversions.set(member, convert);
  return described(member, description);
}

/*
 * Fields whose types the specification does not give. Another value than the usual one passes as
 * `untyped.ts` says.
 */
const usually =
  <Value>(other: Usual['other'], convert: Convert<Value>, usual?: string) =>
  (about: string) =>
    passing({ other }, usual === undefined ? about : `${about} (usually a ${usual})`, convert);
const anyNumber = usually('number', numberOrText, 'number');
const someText = usually('text', anyText);
const anyFlag = usually('flag', flagOrText, 'boolean');

/*
 * Returns what converts the members of an object. zod would run a schema for each member that a
 * record might have, which takes five times as long.
 */
function convertMembers<Shape extends z.core.$ZodShape>(shape: Shape) {
  type Members = z.output<z.ZodMiniObject<Shape, z.core.$loose>>;
  const known = new Map<string, Convert<unknown>>();
  for (const [name, schema] of Object.entries(shape)) {
    const convert = conversions.get(schema);
    if (convert !== undefined) known.set(name, convert);
  }
  return (value: Readonly<Record<string, unknown>>): Members => {
    let read = value;
    for (const name in value) {
      const member = value[name] ?? undefined;
      const converted = member === undefined ? member : known.get(name)?.(member);
      if (converted === undefined || converted === member) continue;
      if (read === value) read = { ...value };
      (read as Record<string, unknown>)[name] = converted;
    }
    return read as Members;
  };
}

const anyObject = <Shape extends z.core.$ZodShape>(
  description: string,
  main: keyof Shape & string,
  shape: Shape,
) => {
  const convert = convertMembers(shape);
  const usual = { other: 'member', object: members(shape), main } as const;
  return passing(usual, description, (value) => convert(asMember(value, main)));
};

/* An object of whose members the specification gives no type. */
const untypedMembers = <Shape extends z.core.$ZodShape>(shape: Shape) => {
  const convert = convertMembers(shape);
  const isMembers = z.custom<Readonly<Record<string, unknown>>>(isObject, 'expected an object');
  const schema = z.pipe(isMembers, z.transform(convert));
  usuals.set(schema, { other: undefined, object: members(shape) });
  return schema;
};

const members = <Shape extends z.core.$ZodShape>(shape: Shape) => z.looseObject(shape);
const object = <Shape extends z.core.$ZodShape>(description: string, shape: Shape) =>
  described(z.optional(z.nullable(members(shape))), description);
const list = <Item extends z.ZodMiniType>(description: string, item: Item) =>
  described(z.optional(z.nullable(z.array(item))), description);

const scope3Shape = Object.fromEntries(
  Object.entries(scope3Titles).map(([name, title], index) => [
    name,
    anyNumber(`Category ${index + 1}: ${title}`),
  ]),
) as Record<Scope3Category, ReturnType<typeof anyNumber>>;

const emissions = anyObject('Emissions of the year by scope; the unit is not documented', 'total', {
  scope_1: anyObject('Direct emissions', 'total', {
    total: anyNumber('Total as disclosed'),
    stationary_combustion: anyNumber('Stationary combustion, such as heating'),
    mobile_combustion: anyNumber('Mobile combustion, such as vehicles'),
    fugitive_emissions: anyNumber('Fugitive emissions, such as leaks of refrigerants'),
    process_emissions: anyNumber('Industrial processes'),
    sum: anyNumber('Sum of the disclosed parts'),
  }),
  scope_2: anyObject('Emissions from purchased energy', 'total', {
    total: anyNumber('Total as disclosed'),
    purchased_electricity: anyNumber('Purchased electricity'),
    purchased_steam: anyNumber('Purchased steam'),
    purchased_heat: anyNumber('Purchased heat'),
    purchased_cooling: anyNumber('Purchased cooling'),
    total_location_based: anyNumber('Total by the average emissions of the local grid'),
    total_market_based: anyNumber('Total by the contracts for the purchased energy'),
    sum: anyNumber('Sum of the disclosed parts'),
  }),
  scope_1_and_2: anyObject('Scopes 1 and 2 combined', 'total', {
    total: anyNumber('Total as disclosed'),
    total_location_based: anyNumber('Total with scope 2 location-based'),
    total_market_based: anyNumber('Total with scope 2 market-based'),
  }),
  scope_3: anyObject('Value-chain emissions by the categories of the GHG Protocol', 'total', {
    total: anyNumber('Total as disclosed'),
    sum: anyNumber('Sum of the disclosed parts'),
    ...scope3Shape,
  }),
  total: anyNumber('Total of all scopes as disclosed'),
  sum: anyNumber('Sum of the disclosed scopes'),
});

const performance = untypedMembers({
  year: anyNumber('Calendar year, such as 2024'),
  region: someText('Region of the figures; the format is not documented'),
  revenue: shown(
    { section: 'years', kind: 'amount' },
    anyNumber('Revenue of the year, in revenue_currency'),
  ),
  emission_factor: shown(
    { section: 'years', kind: 'factor', title: 'Factor' },
    anyNumber('Total emissions divided by revenue, in revenue_currency'),
  ),
  scope_1_and_2_emission_factor: shown(
    { section: 'years', kind: 'factor', title: 'Scope 1+2' },
    anyNumber('Emissions of scopes 1 and 2 divided by revenue, in revenue_currency'),
  ),
  total_upstream_emission_factor: shown(
    { section: 'years', kind: 'factor', title: 'Upstream' },
    anyNumber('Emissions of the upstream value chain divided by revenue, in revenue_currency'),
  ),
  revenue_currency: someText('ISO 4217 code of the currency of revenue and emission factors'),
  emissions,
  production_emission_factors: detail(
    anything('Emission factors of production; the format is not documented'),
  ),
  documents: detail(anything('Documents that contain the figures; the format is not documented')),
});

const named = untypedMembers({ value: someText('The name or website') });

const matchingOrganization = object('Organization in the reference data that this one matches', {
  id: id('ID in the reference data'),
  link: detail(text('Address of the entry in the reference data')),
  name: text('Name of the organization'),
  names: list('Other names of the organization', named),
  websites: list('Websites of the organization', named),
  hq_region: text('Country of the headquarters, ISO 3166-1 alpha-2'),
  hq_subregion: detail(text('Subregion of the headquarters, ISO 3166-2 without the country')),
  industry: object('Industry of the organization', {
    id: detail(id('Identifier of the industry')),
    name: text('Name of the industry'),
  }),
  tickers: detail(
    list(
      'Listings at stock exchanges',
      untypedMembers({
        exchange: someText('Stock exchange'),
        symbol: someText('Symbol at the exchange'),
      }),
    ),
  ),
});

const sbtiTarget = untypedMembers({
  created_at: detail(someText('Date of the record, YYYY-MM-DD')),
  retrieved_at: detail(someText('Date of the retrieval, YYYY-MM-DD')),
  near_term: anyObject('Near-term target', 'target_status', {
    has_target: anyFlag('Whether the organization has such a target'),
    target_status: someText('Status of the target: set, committed, removed or none'),
  }),
  long_term: anyObject('Long-term target', 'target', {
    has_target: anyFlag('Whether the organization has such a target'),
    target: someText('Warming that the target is aligned with, in °C: 1.5 or 2'),
    year: anyNumber('Year of the target'),
  }),
  net_zero: anyObject('Net-zero target', 'target_year', {
    has_target: anyFlag('Whether the organization has such a target'),
    target_year: anyNumber('Year of the target'),
  }),
  business_ambition_1_5: anyObject(
    'Membership of the campaign Business Ambition for 1.5 °C',
    'joined_at',
    {
      has_target: anyFlag('Whether the organization has such a target'),
      joined_at: someText('Date of joining, YYYY-MM-DD'),
    },
  ),
  target_detail: someText('Target in words'),
});

const sbti = object('Targets with the Science Based Targets initiative', {
  last_retrieved_at: text('Date of the last retrieval, YYYY-MM-DD'),
  data: list('Target records', sbtiTarget),
});

/* The specification does not give the form of these items. */
const industryPerformance = untypedMembers({
  year: anyNumber('Calendar year'),
  region: someText('Region of the factor'),
  emission_factor: anyNumber('Mean of emissions divided by revenue'),
});

/** The fields of a record (section 2.1). */
export const organizationSchema = members({
  id: id('ID of the organization'),
  name: text('Name of the organization'),
  hq_region: text('Country of the registered headquarters, ISO 3166-1 alpha-2, such as DE'),
  hq_subregion: text('Subregion of the headquarters, ISO 3166-2 without the country, such as OH'),
  industry: object('Industry of the organization', {
    id: id('Identifier of the industry'),
    name: text('Name of the industry'),
    mean_score: score('Mean score of the industry, from 0 (worst) to 1 (best)'),
    performances: detail(
      list(
        'Figures of the industry by year; the format is not documented',
        z.union([industryPerformance, z.unknown()]),
      ),
    ),
  }),
  website: shown(
    { section: 'organization', kind: 'text' },
    text('Website or email address of the organization'),
  ),
  external_id: shown(
    { section: 'organization', kind: 'text', label: 'external ID' },
    text('Identifier of a customer or a third party, such as a supplier number'),
  ),
  status: text(
    'Status of the research: synced or errored when it has ended, any other value while it is in progress',
  ),
  matching_organization: matchingOrganization,
  performances: list('Emissions and revenue by year', performance),
  sources: list(
    'Sources that the record was built from',
    members({
      url: text('Address of the source'),
      mirror_url: detail(text('Address of a copy of the source')),
    }),
  ),
  score: score('Score from 0 (worst) to 1 (best)'),
  industry_score_percentile: number('Percentile of the score within the industry, from 0 to 100'),
  industry_confidence: text(
    'Confidence in the assumptions about the industry: low, medium or high',
  ),
  industry_rank: text(
    `Rank of the industry among all industries (undocumented whether high is good): ${ranks.join(', ')}`,
  ),
  region_rank: shown(
    { section: 'score', kind: 'rank' },
    text(
      `Rank of the region among all regions (undocumented whether high is good): ${ranks.join(', ')}`,
    ),
  ),
  related_environmental_report_status: text(
    'Status of the environmental report: processing, found or not_found',
  ),
  cdp: object('Listing in the CDP disclosure system', {
    last_retrieved_at: text('Date of the last retrieval, YYYY-MM-DD'),
    is_listed: flag('Whether CDP lists the organization'),
    url: detail(text('Address of the listing')),
  }),
  sbti,
  un: object('Participation in initiatives of the United Nations', {
    last_retrieved_at: text('Date of the last retrieval, YYYY-MM-DD'),
    url: detail(text('Address of the entry')),
    initiatives: list(
      'The initiatives',
      members({
        name: text('Name of the initiative'),
        slug: detail(text('Short name of the initiative for addresses')),
      }),
    ),
  }),
  climate_pledge: object('Commitment to The Climate Pledge', {
    signed: flag('Whether the organization signed the pledge'),
    signed_at: text('Date of signing, YYYY-MM-DD'),
    link: detail(text('Address of the entry')),
  }),
});

/* The known members of a value, which nobody changes. */
type Read<Value> = Value extends readonly (infer Item)[]
  ? readonly Read<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value as string extends Name ? never : Name]: Read<Value[Name]> }
    : Value;

/** Record of an organization (section 2.1). Every field may be absent or null. */
export type Organization = Read<z.infer<typeof organizationSchema>>;

/** Emissions and revenue of one year (section 2.4). */
export type Performance = Read<z.infer<typeof performance>>;

/** Emissions of one year by scope (section 2.4). */
export type Emissions = NonNullable<Performance['emissions']>;

/** Emissions of the value chain (section 2.4). */
export type Scope3 = NonNullable<Emissions['scope_3']>;

/** Target record of the Science Based Targets initiative (section 2.7). */
export type SbtiTarget = Read<z.infer<typeof sbtiTarget>>;
