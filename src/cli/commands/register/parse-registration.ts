/*
 * What a command line says of one organization, checked before anything is sent: a registration
 * cannot be taken back.
 */
import type { Identifier, Registration } from '../../../api/schema.ts';
import { checkIdentifier, identifierFields, type Problem } from '../../../registration/fields.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';

/** The flags of a registration, by the names that commander gives them. */
export type GivenFlags = Readonly<Record<string, unknown>> & {
  readonly field?: Readonly<Record<string, string>>;
};

/** The flag of a request field: `hq_region` is `--hq-region`. */
export function flagOf(field: string): string {
  return `--${field.replaceAll('_', '-')}`;
}

/**
 * Reads a registration.
 * @param extra words that belong to no flag, of which there should be none
 * @throws UsageError that names every wrong flag, its value and what may have been meant
 */
export async function readRegistration(
  extra: readonly string[],
  flags: GivenFlags,
): Promise<Registration> {
  refuseExtra(extra, flags);
  const values = Object.fromEntries(
    identifierFields.map(({ name }) => [
      name,
      flags[optionOf(name)] as string | boolean | undefined,
    ]),
  );
  if (values['name'] === undefined) {
    throw new UsageError(
      'An organization needs a name',
      'carbon register --name "Acme AG"',
      'invalid_input',
    );
  }
  const { registration, problems } = checkIdentifier({ ...values, ...flags.field });
  if (problems.length > 0) throw await problemsError(problems);
  return registration;
}

function refuseExtra(extra: readonly string[], { name, wait }: GivenFlags): void {
  const [stray] = extra;
  const words = typeof name === 'string' ? [name, ...extra] : extra;
  const file = words.find((text) => /\.(csv|tsv)$/i.test(text));
  if (file !== undefined) {
    throw new UsageError(
      `register takes one organization, but "${file}" looks like a file of many`,
      `carbon batch ${file} registers every row of a CSV file.`,
    );
  }
  if (stray === undefined) return;
  const isTime = wait === true && /^\d+(ms|s|m|h|d)$/.test(stray);
  const hint = isTime
    ? `--wait takes no value; --timeout ${stray} ends the waiting.`
    : `The whole name goes into one flag: --name "${words.filter((word) => !word.startsWith('--')).join(' ')}"`;
  throw new UsageError(`register takes no argument: "${stray}"`, hint);
}

function optionOf(field: keyof Identifier): string {
  return field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

async function problemsError(problems: readonly Problem[]): Promise<UsageError> {
  const { countryCode } = await import('../../../registration/countries.ts');
  const told = problems.map(
    ({ field, value, problem }) => `${flagOf(field)} "${value}" ${problem}`,
  );
  const meant = problems.flatMap(({ field, value, meant }) => {
    const better = meant ?? (field === 'hq_region' ? countryCode(value) : undefined);
    return better ? [`${flagOf(field)} ${better}`] : [];
  });
  const hint = meant.length > 0 ? `Did you mean ${meant.join(' ')}?` : placeHint(problems);
  return new UsageError(told.join('; '), hint, 'invalid_input');
}

function placeHint(problems: readonly Problem[]): string | undefined {
  const place = problems.find(
    ({ field, value }) => field === 'hq_region' && /\p{L}{4}/u.test(value),
  )?.value;
  return place && `A place in words goes into --hq-fuzzy "${place}".`;
}
