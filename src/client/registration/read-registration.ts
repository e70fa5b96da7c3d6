/* Checks the registrations that a program passes to the library. */
import { InvalidInputError } from '../../runtime/carbon-error.ts';
import { nearestNames } from '../../runtime/nearest.ts';
import { checkIdentifier, describeProblems, fields, type Registration } from './fields.ts';
import { identifierSchema } from './schema.ts';

/**
 * Checks a registration as the commands do, and returns it with normalized codes.
 * @param otherFields fields that this version does not know, but that may be sent
 * @throws InvalidInputError with every problem
 */
export function checkRegistration(
  given: Registration,
  otherFields: readonly string[] = [],
): Registration {
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  const values = Object.fromEntries(entries);
  const wrong = (identifierSchema.safeParse(values).error?.issues ?? []).flatMap((issue) => {
    const field = String(issue.path[0]);
    // A missing name is a problem of the check below, as an empty one.
    if (issue.code === 'invalid_type')
      return Object.hasOwn(values, field) ? [`${field} is not a ${issue.expected}`] : [];
    if (issue.code !== 'unrecognized_keys') return [];
    return issue.keys.filter((key) => !otherFields.includes(key)).map(describeUnknown);
  });
  if (wrong.length > 0) throw new InvalidInputError(wrong.join('; '));
  const { registration, problems } = checkIdentifier(values);
  if (problems.length > 0) throw new InvalidInputError(describeProblems(problems));
  return registration;
}

function describeUnknown(field: string): string {
  const near = nearestNames(field, fields);
  const question = near.length === 1 ? `: did you mean ${near[0]}?` : '';
  return `"${field}" is neither a field of a registration nor one of otherFields${question}`;
}
