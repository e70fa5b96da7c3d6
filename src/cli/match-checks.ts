import type { ListedOrganization } from '../checks/check-records.ts';
import type { Values } from '../list/rows.ts';
import { countryCode } from '../registration/countries.ts';

export function listedOrganization(values: Values): ListedOrganization {
  return {
    name: values.name,
    country: values.hq_region === undefined ? undefined : countryCode(values.hq_region),
    website: values.website,
  };
}
