import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const strict = { strict: true, allowUnionTypes: true };
const compiled = new WeakMap<object, ValidateFunction>();

/**
 * Compiles a JSON Schema 2020-12 with the strict rules of ajv. The function returns the errors of a
 * value, an empty list for a valid one.
 * @throws an error for an invalid schema
 */
export function compile(schema: object): (value: unknown) => readonly object[] {
  const validate = compiled.get(schema) ?? new Ajv2020(strict).compile(schema);
  compiled.set(schema, validate);
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}
