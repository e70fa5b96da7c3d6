import { Ajv2020 } from 'ajv/dist/2020.js';

/**
 * Compiles a JSON Schema 2020-12 with the strict rules of ajv. The function returns the errors of a
 * value, an empty list for a valid one.
 * @throws an error for an invalid schema
 */
export function compile(schema: object): (value: unknown) => readonly object[] {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}
