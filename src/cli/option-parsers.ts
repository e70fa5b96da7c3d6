import { readDuration } from '../config/duration.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import type { OptionGroup, OptionSpec } from './declaration.ts';
import type { Session } from './session.ts';

/** Returns a parser for an integer within bounds. */
export function readCount(flag: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new UsageError(`${flag}: "${text}" is not a whole number from ${min} to ${max}`);
  };
}

/** Returns a parser for a positive number, such as requests per second. */
export function readRate(flag: string): (text: string) => number {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && value <= 1_000_000) return value;
    throw new UsageError(`${flag}: "${text}" is not a number greater than 0 and at most 1000000`);
  };
}

const minIntervalMs = 100;

/**
 * Parses the time between two checks, in milliseconds. A shorter one would only load the service.
 */
export function readInterval(text: string): number {
  const ms = readDuration(text, '--interval');
  if (ms >= minIntervalMs) return ms;
  throw new UsageError(`--interval: "${text}" is shorter than ${minIntervalMs} ms`);
}

/**
 * Returns the currency of the figures: from the flag or CARBON_CURRENCY. Undefined leaves the
 * choice to the service.
 */
export async function readCurrency(
  { context }: Session,
  flag: string | undefined,
  name = '--currency',
): Promise<string | undefined> {
  const given = flag ?? (context.env['CARBON_CURRENCY'] || undefined);
  if (given === undefined) return undefined;
  const { checkCurrency } = await import('../registration/iso-codes.ts');
  const checked = checkCurrency(given);
  if ('code' in checked) return checked.code;
  const from = flag === undefined ? 'CARBON_CURRENCY' : name;
  const hint = checked.meant
    ? `Did you mean ${checked.meant}?`
    : 'Use a code such as EUR, USD or CHF.';
  throw new UsageError(`${from}: "${given}" ${checked.problem}`, hint, 'invalid_input');
}

/** The option of the currency of figures, for `readCurrency`. */
export const currencyOption: OptionSpec = {
  flags: '--currency <code>',
  description: 'ISO 4217 currency of revenue and emission factors, such as EUR',
  values: currencies,
};

/** Returns the codes of all currencies. */
export async function currencies(): Promise<readonly string[]> {
  return (await import('../registration/iso-codes.ts')).currencyCodes();
}

/** Returns a parser for one of a few words. */
export function readChoice<Word extends string>(
  flag: string,
  words: readonly Word[],
): (text: string) => Word {
  return (text) => {
    const word = words.find((each) => each === text);
    if (word !== undefined) return word;
    throw new UsageError(`${flag}: "${text}" is not one of ${words.join(', ')}`);
  };
}

/** The options that select columns, rows and their order. */
export interface QueryOptions {
  readonly columns?: string;
  readonly where?: readonly string[];
  readonly sort?: string;
  readonly top?: number;
}

/**
 * Returns the option -o, for `OutFile`.
 * @param formats the extensions that the command accepts, such as `.xlsx or .csv`
 */
export function outOption(formats: string): OptionSpec {
  return { flags: '-o, --out <file>', description: `write the result to a file: ${formats}` };
}

const maxTop = 1_000_000;

/** The options of a query. */
export const queryOptions: OptionGroup = {
  heading: 'Select',
  options: [
    {
      flags: '--columns <names>',
      description: 'print only these columns, separated by commas',
      values: columnNames,
      parse: once('--columns'),
    },
    {
      flags: '--where <condition>',
      description:
        'select organizations, such as "score<0.4" or hq_region=DE (repeatable: all must apply)',
      values: columnNames,
      parse: (text, given: readonly string[] = []) => [...given, text],
    },
    {
      flags: '--sort <names>',
      description:
        'sort by these columns; prefix a name with - for descending order, such as -score',
      values: columnNames,
      parse: once('--sort'),
    },
    {
      flags: '--top <n>',
      description: 'print only the first n organizations',
      parse: readCount('--top', 1, maxTop),
    },
  ],
};

async function columnNames(): Promise<readonly string[]> {
  const { everyColumn } = await import('./output/csv-columns.ts');
  return everyColumn.map(({ name }) => name);
}

/* Returns a parser that refuses a second list of columns, which would replace the first one. */
function once(flag: string): (text: string, given?: string) => string {
  return (text, given) => {
    if (given === undefined) return text;
    throw new UsageError(
      `${flag} was given twice: "${given}" and "${text}"`,
      `Separate columns with commas: ${flag} ${given},${text}`,
    );
  };
}

/** Checks whether any option of a query is given. */
export function hasQuery({ columns, where, sort, top }: QueryOptions): boolean {
  return [columns, where, sort, top].some((value) => value !== undefined);
}

/** The options that decide which records a command prints, and where. */
export interface OutputOptions extends QueryOptions {
  /** The path of a workbook for the records. */
  readonly out?: string;
}

/** Checks whether options demand another output than the usual one. */
export function hasOutput(options: OutputOptions): boolean {
  return options.out !== undefined || hasQuery(options);
}

/** Returns the options of a query as words of a command line. */
export function queryWords({ columns, where = [], sort, top }: QueryOptions): string[] {
  return [
    ...(columns === undefined ? [] : ['--columns', columns]),
    ...where.flatMap((condition) => ['--where', condition]),
    ...(sort === undefined ? [] : ['--sort', sort]),
    ...(top === undefined ? [] : ['--top', String(top)]),
  ];
}
