import type { Command, Option } from 'commander';
import { UsageError } from '../runtime/carbon-error.ts';
import { flagOf } from './commands/register/parse-registration.ts';

const keyFlag = /^--?(?:api-?key|key|token|with-(?:api-?)?key|secret|password)$/i;
const keyHint =
  'Pipe the key to `carbon login --with-token`, or set CARBON_API_KEY. No flag accepts it, because other users can see flags in the process list.';

/**
 * Describes an unknown flag, or a flag that takes no value. Never shows the value in `--token=...`
 * or `-k...`, which may be the key.
 * @param word the word that commander reports
 * @param program the program, with the commands that the command line names
 * @param fallback the hint if there is no better one
 */
export async function readUnknownFlag(
  word: string,
  argv: readonly string[],
  program: Command,
  fallback: string,
): Promise<UsageError> {
  const commands = program.commands.filter((command) => argv.includes(command.name()));
  const options = [program, ...commands].flatMap((command) => [...command.options]);
  const find = (flag: string) => options.find(({ short, long }) => flag === short || flag === long);
  const isLong = word.startsWith('--');
  const [name = ''] = word.split('=');
  const own = isLong ? find(name) : ofShortWithValue(word, argv, find);
  if (own === undefined && keyFlag.test(name))
    return new UsageError(`Unknown option '${name}'`, keyHint);
  if (own !== undefined && word.includes('=')) {
    const flag = isLong ? own.long : own.short;
    const hint = own.long === '--with-token' ? keyHint : `Use ${flag} without a value.`;
    return new UsageError(`${flag} takes no value`, hint);
  }
  const [command] = commands.filter((one) => own !== undefined && one.options.includes(own));
  if (command !== undefined) {
    return new UsageError(
      `${name} must follow the command`,
      `Use \`carbon ${command.name()} ${name}\`.`,
    );
  }
  const isBatch = commands.some((one) => one.name() === 'batch');
  const meant = isLong ? await similarFlags(name, options, isBatch) : ofOneHyphen(name, find);
  const hint = meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : fallback;
  return new UsageError(
    `Unknown option '${isLong || meant.length > 0 ? name : name.slice(0, 2)}'`,
    hint,
  );
}

type Find = (flag: string) => Option | undefined;

/* Finds the flag of `-q=1`: commander accepts -q and then rejects `-=1`. */
function ofShortWithValue(word: string, argv: readonly string[], find: Find): Option | undefined {
  const written = word.startsWith('-=') ? argv.find((one) => /^-\w=/.test(one)) : undefined;
  return written === undefined ? undefined : find(written.slice(0, 2));
}

/* Finds the flag of `-json`. */
function ofOneHyphen(word: string, find: Find): string[] {
  const long = `-${word}`;
  return find(long) ? [long] : [];
}

/*
 * Returns the flag of a column with that name (`--country`), else the flags that begin with it
 * (`--retry`). For `batch`, returns the --map of that column.
 */
async function similarFlags(
  name: string,
  options: readonly Option[],
  isBatch: boolean,
): Promise<string[]> {
  const { foldHeader, synonyms } = await import('../batch/csv/column-aliases.ts');
  const folded = foldHeader(name);
  const fields = Object.entries(synonyms).filter(([, words]) => words.includes(folded));
  const known = new Set(options.map(({ long }) => long));
  const ofField = fields.map(([field]) => flagOf(field)).filter((flag) => known.has(flag));
  if (ofField.length > 0) return ofField;
  const ofColumn = Object.entries(synonyms).filter(
    ([field, words]) => foldHeader(field) === folded || words.includes(folded),
  );
  if (isBatch && ofColumn.length > 0) return ofColumn.map(([field]) => `--map ${field}=<column>`);
  return [...known].flatMap((flag) => (flag?.startsWith(`${name}-`) ? [flag] : []));
}
