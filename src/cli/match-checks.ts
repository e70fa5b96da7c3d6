/* What the rules for matches compare a record with. */
import type { Values } from '../batch/identified-rows.ts';
import type { CheckOptions } from '../checks/check-records.ts';
import type { ListedOrganization } from '../checks/match-rules.ts';
import { countryCode } from '../registration/countries.ts';

/** Returns what identifies the organization of a row. */
export function listedOrganization(values: Values): ListedOrganization {
  const { lei_number, isin_number, duns_number, sp_global_number } = values;
  return {
    name: values.name,
    country: values.hq_region === undefined ? undefined : countryCode(values.hq_region),
    website: values.website,
    externalId: values.external_id,
    identifiers: [lei_number, isin_number, duns_number, sp_global_number].filter(
      (identifier) => identifier !== undefined,
    ),
  };
}

/** Loads what the rules for matches need besides the records. */
export async function loadCheckOptions(): Promise<Pick<CheckOptions, 'domainOf'>> {
  const { getDomain } = await import('tldts-icann');
  return { domainOf: (address) => getDomain(address) ?? undefined };
}
