/* Checks the flags of `register` before anything is sent: a registration cannot be undone. */
import type { Identifier, Registration } from '../../../api/schema.ts';
import { checkIdentifier, identifierFields, type Problem } from '../../../registration/fields.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { quoteWords } from '../../../terminal/quote-words.ts';

/** Flags of a registration, by the names that commander gives them. */
export type GivenFlags = Readonly<Record<string, unknown>> & {
  readonly field?: Readonly<Record<string, string>>;
};

/** Returns the flag of a request field: `--hq-region` for `hq_region`. */
export function flagOf(field: string): string {
  return `--${field.replaceAll('_', '-')}`;
}

/**
 * Reads a registration from flags.
 * @param extra words that belong to no flag; any is an error
 * @throws UsageError that names every invalid flag, its value and a suggestion
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
      'Missing --name',
      'Run `carbon register --name "Acme AG"`.',
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
  const file = words.find((text) => /\.(csv|tsv|csv\.gz|xlsx)$/i.test(text));
  if (file !== undefined) {
    throw new UsageError(
      `register expects one organization, but "${file}" looks like a file of many`,
      `Run \`carbon batch ${quoteWords([file])}\` to register every row of the file.`,
    );
  }
  if (stray === undefined) return;
  const isTime = wait === true && /^\d+(ms|s|m|h|d)$/.test(stray);
  const hint = isTime
    ? `--wait takes no value. To limit the wait, use --timeout ${stray}.`
    : `Write the complete name in quotes: --name "${words.filter((word) => !word.startsWith('--')).join(' ')}"`;
  throw new UsageError(`Unexpected argument "${stray}"`, hint);
}

function optionOf(field: keyof Identifier): string {
  return field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

async function problemsError(problems: readonly Problem[]): Promise<UsageError> {
  const { countryCode } = await import('../../../registration/countries.ts');
  const descriptions = problems.map(
    ({ field, value, problem }) => `${flagOf(field)} "${value}" ${problem}`,
  );
  const meant = problems.flatMap(({ field, value, meant }) => {
    const better = meant ?? (field === 'hq_region' ? countryCode(value) : undefined);
    return better ? [`${flagOf(field)} ${better}`] : [];
  });
  const hint = meant.length > 0 ? `Did you mean ${meant.join(' ')}?` : placeHint(problems);
  return new UsageError(descriptions.join('; '), hint, 'invalid_input');
}

function placeHint(problems: readonly Problem[]): string | undefined {
  const place = problems.find(
    ({ field, value }) => field === 'hq_region' && /\p{L}{4}/u.test(value),
  )?.value;
  return place && `To send a place as free text, use --hq-fuzzy "${place}".`;
}
