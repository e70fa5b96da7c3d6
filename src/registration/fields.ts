/*
 * Defines the fields of a registration. This table is the source of the flags of `register`, of the
 * columns of `batch`, and of the checks before anything is sent.
 */

import type { Identifier, Registration } from '../api/schema.ts';
import {
  type Checked,
  checkCountry,
  checkCurrency,
  checkDuns,
  checkIsin,
  checkLei,
} from './iso-codes.ts';

/** A field of the request body (section 4.1 of the service's specification). */
export interface IdentifierField {
  readonly name: keyof Identifier;
  readonly about: string;
  readonly placeholder: string;
  readonly check?: (value: string) => Checked;
}

const subregion = (value: string): Checked => {
  const code = value.trim().toUpperCase();
  if (/^[A-Z0-9]{1,3}$/.test(code)) return { code };
  const meant = /^[A-Z]{2}-([A-Z0-9]{1,3})$/.exec(code)?.[1];
  return { problem: 'is not an ISO 3166-2 subdivision code without the country prefix', meant };
};

const named = (value: string): Checked => {
  const code = value.trim();
  return /[\p{L}\p{N}\p{S}]/u.test(code)
    ? { code }
    : { problem: 'is empty: an organization needs a name' };
};

/** Every field of a registration, in the order of help and documentation. */
export const identifierFields: readonly IdentifierField[] = [
  { name: 'name', placeholder: 'text', about: 'name of the organization', check: named },
  {
    name: 'hq_region',
    placeholder: 'code',
    about: 'country of the headquarters, ISO 3166-1 alpha-2 (DE)',
    check: checkCountry,
  },
  {
    name: 'hq_subregion',
    placeholder: 'code',
    about: 'subdivision of that country, ISO 3166-2 (OH for Ohio)',
    check: subregion,
  },
  {
    name: 'hq_fuzzy',
    placeholder: 'text',
    about: 'country name or address, if the code is unknown',
  },
  { name: 'industry_id', placeholder: 'id', about: "the service's id for the industry" },
  { name: 'industry_name', placeholder: 'text', about: 'name of the industry' },
  { name: 'website', placeholder: 'address', about: 'website or email address' },
  {
    name: 'external_id',
    placeholder: 'id',
    about: 'your own id for the organization, such as a supplier number',
  },
  {
    name: 'is_legal_entity_name',
    placeholder: '',
    about: 'the name is a legal entity name, not a brand',
  },
  {
    name: 'duns_number',
    placeholder: 'number',
    about: 'D-U-N-S number, 9 digits',
    check: checkDuns,
  },
  {
    name: 'lei_number',
    placeholder: 'code',
    about: 'Legal Entity Identifier, ISO 17442, 20 characters',
    check: checkLei,
  },
  {
    name: 'isin_number',
    placeholder: 'code',
    about: 'ISIN, ISO 6166, 12 characters',
    check: checkIsin,
  },
  { name: 'sp_global_number', placeholder: 'id', about: 'S&P Global identifier' },
  {
    name: 'currency',
    placeholder: 'code',
    about: 'currency of revenue and emission factors in the response, ISO 4217',
    check: checkCurrency,
  },
];

/** An invalid value. */
export interface Problem {
  readonly field: string;
  readonly value: string;
  /** The predicate of a sentence about the value, such as "is not an ISO 4217 currency code". */
  readonly problem: string;
  /** The value that the user probably meant. */
  readonly meant?: string | undefined;
}

/** A registration with the problems of its values. */
export interface CheckedIdentifier {
  readonly registration: Registration;
  readonly problems: readonly Problem[];
}

/**
 * Checks the values of a registration and normalizes codes to upper case without spaces.
 *
 * @param values text by field name; unknown fields stay unchanged, undefined ones are left out
 */
export function checkIdentifier(
  values: Readonly<Record<string, string | boolean | undefined>>,
): CheckedIdentifier {
  const known = new Map<string, IdentifierField>(
    identifierFields.map((field) => [field.name, field]),
  );
  const accepted: [string, string | boolean][] = [];
  const problems: Problem[] = [];
  for (const [field, value] of Object.entries({ name: '', ...values })) {
    if (value === undefined) continue;
    const checked: Checked | undefined =
      typeof value === 'string' ? known.get(field)?.check?.(value) : undefined;
    if (checked !== undefined && 'problem' in checked)
      problems.push({ field, value: String(value), ...checked });
    else accepted.push([field, checked?.code ?? value]);
  }
  return { registration: Object.fromEntries(accepted) as Registration, problems };
}
