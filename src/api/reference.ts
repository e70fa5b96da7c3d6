/**
 * The id of an organization as a record has it: a number by the specification, text with some
 * services.
 */
export type OrganizationId = string | number;

/** What is needed of a record before it is checked as a whole. */
export interface RecordHead {
  /** Undefined where the record has no usable id: see `usableId`. */
  readonly id: OrganizationId | undefined;
  readonly name: string | undefined;
  readonly status: string | undefined;
}

/**
 * Reads id, name and status of any object. A value of another type counts as absent, and so does an
 * id that is not usable.
 */
export function readHead(record: object): RecordHead {
  const { id, name, status } = record as Readonly<Record<string, unknown>>;
  return { id: usableId(id), name: text(name), status: text(status) };
}

/**
 * Returns an id that a later request can name, else undefined.
 *
 * Section 4.2 of the specification defines an integer in the path, so an id is a whole number from
 * 0 to 2^53 - 1, or text of 1 to 20 digits. JSON.parse has rounded a greater number to the id of
 * another organization. `carbon get` and `carbon watch` accept the same ids.
 */
export function usableId(id: unknown): OrganizationId | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) && id >= 0 ? id : undefined;
  return typeof id === 'string' && /^\d{1,20}$/.test(id) ? id : undefined;
}

/**
 * Checks whether two ids name the same organization: as a number or as text, leading zeros aside.
 */
export function isSameId(one: OrganizationId, other: OrganizationId): boolean {
  return withoutZeros(String(one)) === withoutZeros(String(other));
}

function withoutZeros(id: string): string {
  return id.replace(/^0+(?=\d)/, '');
}

/* Every member of section 2.1 but `status`, which health checks and error bodies have too. */
const recordMembers = [
  'id',
  'name',
  'hq_region',
  'hq_subregion',
  'industry',
  'website',
  'external_id',
  'matching_organization',
  'performances',
  'sources',
  'score',
  'industry_score_percentile',
  'industry_confidence',
  'industry_rank',
  'region_rank',
  'related_environmental_report_status',
  'cdp',
  'sbti',
  'un',
  'climate_pledge',
] as const;

/**
 * Checks whether an object can be the record of an organization: it has a value for at least one
 * member of section 2.1 other than `status`.
 */
export function canBeRecord(value: Readonly<Record<string, unknown>>): boolean {
  return recordMembers.some((name) => (value[name] ?? null) !== null);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Checks whether a JSON value is an object, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
