/* Checks the registrations that a program passes to the library. */
import { InvalidInputError } from '../../runtime/carbon-error.ts';
import { nearestNames } from '../../runtime/nearest.ts';
import {
  checkIdentifier,
  describeProblems,
  fields,
  identifierFields,
  type Registration,
} from './fields.ts';

const types: ReadonlyMap<string, 'string' | 'boolean'> = new Map(
  identifierFields.map(({ name, placeholder }) => [
    name,
    placeholder === undefined ? 'boolean' : 'string',
  ]),
);

/**
 * Checks a registration as the commands do, and returns it with normalized codes.
 * @param otherFields fields that this version does not know, but that may be sent
 * @throws InvalidInputError with every problem
 */
export function readRegistration(
  given: Registration,
  otherFields: readonly string[] = [],
): Registration {
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  const wrong = entries.flatMap(([field, value]) => {
    const type = types.get(field);
    if (type !== undefined) return typeof value === type ? [] : [`${field} is not a ${type}`];
    if (otherFields.includes(field)) return [];
    const near = nearestNames(field, fields);
    const question = near.length === 1 ? `: did you mean ${near[0]}?` : '';
    return [`"${field}" is neither a field of a registration nor one of otherFields${question}`];
  });
  if (wrong.length > 0) throw new InvalidInputError(wrong.join('; '));
  const { registration, problems } = checkIdentifier(Object.fromEntries(entries));
  if (problems.length > 0) throw new InvalidInputError(describeProblems(problems));
  return registration;
}
