/*
 * The fields of a registration as people give them: one table makes the flags of `register`, the
 * columns of `batch` and the checks before anything is sent.
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

/** One field of the request body (section 4.1). */
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
  return { problem: 'is not an ISO 3166-2 subregion code without the country', meant };
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
    about: 'subregion of it, ISO 3166-2 (OH for Ohio)',
    check: subregion,
  },
  {
    name: 'hq_fuzzy',
    placeholder: 'text',
    about: 'a country name or address, when the code is not known',
  },
  { name: 'industry_id', placeholder: 'id', about: "the service's id of the industry" },
  { name: 'industry_name', placeholder: 'text', about: 'industry in words' },
  { name: 'website', placeholder: 'address', about: 'web site or e-mail address' },
  { name: 'external_id', placeholder: 'id', about: 'your own id of it, such as a supplier number' },
  { name: 'is_legal_entity_name', placeholder: '', about: 'the name is a legal name, not a brand' },
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
    about: 'currency of revenue and factors in the answer, ISO 4217',
    check: checkCurrency,
  },
];

/** What is wrong with one value, before anything is sent. */
export interface Problem {
  readonly field: string;
  readonly value: string;
  /** Continues "<field> <value> ...", such as "is not an ISO 4217 currency code". */
  readonly problem: string;
  /** What was probably meant. */
  readonly meant?: string | undefined;
}

/** A registration made of text values, and everything that is wrong with them. */
export interface CheckedIdentifier {
  readonly registration: Registration;
  readonly problems: readonly Problem[];
}

/**
 * Checks the values of a registration and puts codes into their usual form (upper case, no spaces).
 * @param values text by field name; unknown fields are passed on unchanged; absent ones are left
 * out
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
