import { aliasOf, compareNames } from '../../client/api/names.ts';

/** The name and country that a registration sent. */
export interface SentOrganization {
  readonly name: string;
  readonly hq_region?: string | undefined;
}

/**
 * Describes the organization of a record, such as `Acme AG (DE)`, if its names and countries all
 * differ from those sent. Services write names in another way, so one word in common is enough.
 *
 * @param record any object, whose values may have any type
 */
export function otherOrganization(sent: SentOrganization, record: object): string | undefined {
  const { name, hq_region, matching_organization } = record as Readonly<Record<string, unknown>>;
  const match = (matching_organization ?? {}) as Readonly<Record<string, unknown>>;
  const countries = [hq_region, match['hq_region']].filter(isText);
  const [country] = countries;
  if (!sent.hq_region || country === undefined) return undefined;
  if (countries.some((each) => fold(each) === fold(sent.hq_region ?? ''))) return undefined;
  const others = Array.isArray(match['names']) ? match['names'].slice(0, 100) : [];
  const aliases = others.map((each) => (each as { readonly value?: unknown } | null)?.value);
  const names = [name, match['name'], ...aliases].filter(isText);
  const [first] = names;
  const alias = aliasOf(sent.name);
  if (names.some((each) => compareNames(alias, aliasOf(each)) !== 'different')) return undefined;
  return first === undefined ? undefined : `${first.slice(0, 200)} (${country.slice(0, 20)})`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function fold(text: string): string {
  return text.trim().toUpperCase();
}
