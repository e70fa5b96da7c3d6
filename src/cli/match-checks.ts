import type { CheckOptions } from '../checks/check-records.ts';
import type { ListedOrganization } from '../checks/match-rules.ts';
import type { Values } from '../list/rows.ts';
import { countryCode } from '../registration/countries.ts';
import { identifierFields } from '../registration/fields.ts';

export function listedOrganization(values: Values): ListedOrganization {
  return {
    name: values.name,
    country: values.hq_region === undefined ? undefined : countryCode(values.hq_region),
    website: values.website,
    identifiers: identifierFields.flatMap(({ name, isUnique }) =>
      isUnique && name !== 'external_id' ? (values[name] ?? []) : [],
    ),
  };
}

export async function loadCheckOptions(): Promise<Pick<CheckOptions, 'domainOf'>> {
  const { getDomain } = await import('tldts-icann');
  return { domainOf: (address) => getDomain(address) ?? undefined };
}
