/*
 * What a command declares about itself, and the options that commands share. The parser, the help,
 * completion, the reference and the manual read declarations and nothing else.
 */
import type { Command } from 'commander';
import type { Checked } from '../client/registration/iso-codes.ts';
import { readDuration } from '../config/settings.ts';
import { invalidInput, UsageError } from '../runtime/carbon-error.ts';
import type { CommandLine, HintParts } from '../runtime/hint.ts';
import type { Session } from './session.ts';

/** Output formats: text for people, one JSON document per organization, CSV rows, or ids. */
export type Format = 'human' | 'json' | 'csv' | 'ids';

export const everyFormat: readonly Format[] = ['human', 'json', 'csv', 'ids'];

export const commandGroups = [
  'Organizations',
  'Lists',
  'Portfolio',
  'Set up',
  'Developers',
] as const;

/** An option, in the syntax of commander: `-o, --out <file>`. */
export interface OptionSpec {
  readonly flags: string;
  readonly description: string;
  /** The only values; completion offers them, and every other value is an error. */
  readonly choices?: readonly string[];
  /** Further words for the choices, in lower case, which are errors that name the choice. */
  readonly alsoCalled?: Readonly<Record<string, readonly string[]>>;
  /** A sentence for the hint at a value that is no choice. */
  readonly advice?: string;
  /** Endings of the names of the files that it writes, such as `.csv`. */
  readonly endings?: readonly string[];
  /** Loads words that completion offers; other values are allowed. */
  readonly offers?: () => Promise<readonly string[]>;
  parse?(text: string, previous: unknown): unknown;
  readonly default?: unknown;
  readonly shownDefault?: string;
}

/** A value that an option does not have, with what it reads. */
export interface WrongValue {
  readonly flag: string;
  readonly text: string;
  readonly day?: true;
  readonly rate?: true;
  readonly year?: true;
  readonly duration?: true;
  readonly count?: { readonly min: number; readonly max: number; readonly example: number };
  readonly choices?: Pick<OptionSpec, 'alsoCalled' | 'advice'> & {
    readonly words: readonly string[];
  };
}

/** Rejects the value of an option. Its hint is that of `hintAtValue`, which few runs load. */
export class ValueError extends UsageError {
  readonly value: WrongValue;

  constructor(message: string, value: WrongValue) {
    super(message);
    this.value = value;
  }
}

export type OptionGroups = Readonly<Record<string, readonly OptionSpec[]>>;

type LongName<Flags extends string> = Flags extends `${string}--${infer Name} ${string}`
  ? Name
  : Flags extends `${string}--${infer Name}`
    ? Name
    : never;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${CamelCase<Capitalize<Rest>>}`
  : Name;

/* `--no-color` sets `color`. */
type MemberName<Name extends string> = CamelCase<Name extends `no-${infer Rest}` ? Rest : Name>;

type ParsedValue<Spec extends OptionSpec> = Spec extends {
  parse(text: string, ...previous: never[]): infer Value;
}
  ? Value
  : Spec extends { readonly choices: readonly (infer Word)[] }
    ? Word
    : Spec['flags'] extends `${string}<${string}`
      ? string
      : boolean;

/**
 * The values of options, as commander names and parses them: `--max-new <n>` is `maxNew`. Every
 * option is a member, so that an option which is renamed or removed is a type error where it is
 * read.
 */
export type OptionValues<Groups extends OptionGroups> = {
  readonly [Spec in Groups[keyof Groups][number] as MemberName<
    LongName<Spec['flags']>
  >]: Spec extends {
    readonly default: unknown;
  }
    ? ParsedValue<Spec>
    : ParsedValue<Spec> | undefined;
};

/** An operand, in the syntax of commander: `<file...>`. */
export interface ArgumentSpec {
  readonly term: string;
  readonly description: string;
  /** What completion offers; file names if missing. */
  readonly values?: readonly string[];
}

export type ServiceOption = '--profile' | '--base-url' | '--sandbox';

/** The options that select a service, for commands that send requests. */
export const serviceOptions: readonly ServiceOption[] = ['--profile', '--base-url', '--sandbox'];

export interface CommandDeclaration<Options extends OptionGroups = OptionGroups> {
  readonly name: string;
  /** The list of commands omits a command without a group. */
  readonly group?: (typeof commandGroups)[number];
  readonly summary: string;
  /** The words after the name; by default the arguments and `[options]`. */
  readonly usage?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: Options;
  /** Complete command lines. */
  readonly examples: readonly string[];
  /** Paragraphs that --help shows, wrapped at 80 columns. */
  readonly notes?: string;
  readonly formats: readonly Format[];
  /** The members of each JSON document, unless build/docs/json-documents.ts describes it. */
  readonly document?: Readonly<Record<string, string>>;
  /** The global options that select a service, if the command uses one. */
  readonly service?: readonly ServiceOption[];
  /** Those that the command accepts only to say why it does not need them. */
  readonly explains?: readonly ServiceOption[];
  /** What the command needs if its argument is missing, and a hint with a command to paste. */
  readonly missing?: readonly [what: string, hint: HintParts];
  run(
    session: Session,
    operands: readonly string[],
    options: OptionValues<Options>,
    command: Command,
  ): Promise<number>;
}

const declarations = new WeakMap<Command, CommandDeclaration>();

export function setDeclaration(command: Command, declaration: CommandDeclaration): void {
  declarations.set(command, declaration);
}

export function declarationsOf(program: Command): CommandDeclaration[] {
  return program.commands.flatMap((command) => declarations.get(command) ?? []);
}

export function ownOptions({ options = {} }: CommandDeclaration): OptionSpec[] {
  return Object.values(options).flat();
}

export function flagsOf({ flags }: OptionSpec): string[] {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith('-'));
}

export function optionName(option: OptionSpec): string {
  return flagsOf(option).at(-1) ?? '';
}

export const globalOptions = [
  { flags: '--json', description: 'print JSON, one document per line' },
  { flags: '--csv', description: 'print CSV (RFC 4180) with fixed columns' },
  { flags: '-q, --ids', description: 'print only IDs, one per line' },
  { flags: '--profile <name>', description: 'use this stored profile (default: default)' },
  { flags: '--base-url <url>', description: 'use the service at this base URL (https://...)' },
  { flags: '--sandbox', description: 'use the embedded sandbox: no account, synthetic data' },
  { flags: '--overwrite', description: 'replace the file of -o if it exists' },
  { flags: '--debug', description: 'log every request to standard error, without the API key' },
  { flags: '--no-color', description: 'print without color, as NO_COLOR does' },
  { flags: '--no-progress', description: 'print only problems (for cron and CI)' },
] as const satisfies readonly OptionSpec[];

export type GlobalFlags = Partial<OptionValues<{ readonly Global: typeof globalOptions }>> & {
  /** Not a global option, but commands in hints read the same list. */
  readonly keep?: string | undefined;
};

export function serviceWords({ sandbox, profile, baseUrl }: GlobalFlags): string[] {
  return [
    ...(sandbox ? ['--sandbox'] : []),
    ...(profile ? ['--profile', profile] : []),
    ...(baseUrl ? ['--base-url', baseUrl] : []),
  ];
}

/** The options of a run that a command in a hint repeats, so that it does the same as the run. */
export type RepeatedOption = ServiceOption | '--keep';

/** Those that a command accepts, by its name. */
export type RepeatedOptions = Readonly<Record<string, readonly RepeatedOption[]>>;

/**
 * Returns the options of a run that a command line lacks: those that select the service, unless it
 * selects one, and with an operand, the files of the list.
 */
export function repeatedWords(
  { words: [name = '', ...words] }: CommandLine,
  flags: GlobalFlags,
  { [name]: accepted = [] }: RepeatedOptions,
): string[] {
  const { sandbox, profile, baseUrl, keep } = flags;
  const given = (option: RepeatedOption) => words.includes(option);
  const repeats = (option: RepeatedOption) => accepted.includes(option) && !given(option);
  const hasOperand = words.some((word) => !word.startsWith('-'));
  return [
    ...(serviceOptions.some(given)
      ? []
      : serviceWords({
          sandbox: repeats('--sandbox') && sandbox === true,
          profile: repeats('--profile') ? profile : undefined,
          baseUrl: repeats('--base-url') ? baseUrl : undefined,
        })),
    ...(repeats('--keep') && hasOperand ? keepWords(keep) : []),
  ];
}

export function readFormat(flags: GlobalFlags): Format {
  const formats = (['json', 'csv', 'ids'] as const).filter((format) => flags[format]);
  if (formats.length > 1)
    throw new UsageError(
      'Use only one of --json, --csv and --ids',
      `Remove ${formats
        .slice(1)
        .map((each) => `--${each}`)
        .join(' and ')}.`,
    );
  return formats[0] ?? 'human';
}

/**
 * Returns the global options that change what a command does. A command accepts the others as well,
 * so that an alias or a script can set them for all commands, unless they select another service.
 */
export function applicableGlobals(declaration: CommandDeclaration): OptionSpec[] {
  const { formats, service = [] } = declaration;
  const applies: Readonly<Record<string, boolean>> = {
    '--json': formats.includes('json'),
    '--csv': formats.includes('csv'),
    '--ids': formats.includes('ids'),
    ...Object.fromEntries(serviceOptions.map((name) => [name, service.includes(name)])),
    '--debug': service.includes('--profile'),
    '--overwrite': ownOptions(declaration).some((option) => optionName(option) === '--out'),
  };
  return globalOptions.filter((option) => applies[optionName(option)] ?? true);
}

/**
 * Reads the global options before and after the command. The later one on the command line wins.
 * @throws UsageError if an option has an empty value, as from an unset shell variable
 */
export function readGlobals(
  command: Command,
  declaration: CommandDeclaration,
  env: NodeJS.ProcessEnv,
): GlobalFlags {
  // A script that relies on it would register at the real service.
  if (env['CARBON_SANDBOX'])
    throw new UsageError('carbon no longer reads CARBON_SANDBOX', 'Unset it, and use --sandbox.');
  const chain = command.parent ? [command.parent, command] : [command];
  const given: GlobalFlags & Record<string, unknown> = {};
  for (const declared of chain)
    for (const [name, value] of Object.entries(declared.opts())) {
      if (declared.getOptionValueSource(name) === 'cli') given[name] = value;
      if (value === '')
        throw new UsageError(
          `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} is empty`,
          'Give the option a value, or remove it.',
        );
    }
  refuseOtherService(declaration, given);
  return given;
}

/*
 * An option that selects a service matters: `logout --sandbox` must not remove the key of another
 * service.
 */
function refuseOtherService({ name, service = [] }: CommandDeclaration, given: GlobalFlags): void {
  const { profile, baseUrl, sandbox } = given;
  const flags = { '--profile': profile, '--base-url': baseUrl, '--sandbox': sandbox };
  const refused = serviceOptions.find((option) => !service.includes(option) && flags[option]);
  if (refused !== undefined) throw new UsageError(`${refused} does not apply to carbon ${name}`);
}

/** @param example a value for the hint at one that is not in the range */
export function readCount(
  flag: string,
  min: number,
  max: number,
  example: number,
): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new ValueError(`${flag}: "${text}" is not a whole number from ${min} to ${max}`, {
      flag,
      text,
      count: { min, max, example },
    });
  };
}

/** Reads a year of four digits. */
export function parseYear(flag: string): (text: string) => number {
  return (text) => {
    const year = /^\d{4}$/.test(text) ? Number(text) : Number.NaN;
    if (year >= 1900 && year <= 2200) return year;
    throw new ValueError(`${flag}: "${text}" is not a year from 1900 to 2200`, {
      flag,
      text,
      year: true,
    });
  };
}

export function readRate(flag: string): (text: string) => number {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && value <= 1_000_000) return value;
    throw new ValueError(`${flag}: "${text}" is not a number greater than 0 and at most 1000000`, {
      flag,
      text,
      rate: true,
    });
  };
}

/** Reads a duration of an option, in milliseconds. */
export function readTime(flag: string): (text: string) => number {
  return (text) => {
    try {
      return readDuration(text, flag);
    } catch (error) {
      throw new ValueError((error as UsageError).message, { flag, text, duration: true });
    }
  };
}

const minIntervalMs = 100;

export function readInterval(text: string): number {
  const ms = readTime('--interval')(text);
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
  const { checkCurrency } = await import('../client/registration/iso-codes.ts');
  return requireCurrency(
    checkCurrency(given),
    given,
    flag === undefined ? 'CARBON_CURRENCY' : name,
  );
}

export function requireCurrency(checked: Checked, given: string, from: string): string {
  if ('code' in checked) return checked.code;
  const { problem, meant } = checked;
  throw invalidInput(
    `${from}: "${given}" ${problem}`,
    meant ? `Did you mean ${meant}?` : 'Use a code such as EUR, USD or CHF.',
  );
}

/** The option that names a file for the numbers of the run, which `main` writes. */
export const metricsOption = {
  flags: '--metrics-file <file>',
  description: "Prometheus file of the run's numbers, such as run.prom",
  parse(path: string): string {
    if (path.endsWith('.prom')) return path;
    throw new UsageError(
      `--metrics-file: ${path} does not end with .prom`,
      'Write a name such as --metrics-file run.prom.',
    );
  },
} as const satisfies OptionSpec;

/** Loads the currency codes, for completion. */
export async function currencies(): Promise<readonly string[]> {
  return Intl.supportedValuesOf('currency');
}

export const currencyOption = {
  flags: '--currency <code>',
  description: 'ISO 4217 currency of revenue and emission factors, such as EUR',
  offers: currencies,
} as const satisfies OptionSpec;

export function readChoice<Word extends string>(
  flag: string,
  words: readonly Word[],
  choices: Pick<OptionSpec, 'alsoCalled' | 'advice'> = {},
): (text: string) => Word {
  return (text) => {
    const word = words.find((each) => each === text);
    if (word !== undefined) return word;
    throw new ValueError(`${flag}: "${text}" is not one of ${words.join(', ')}`, {
      flag,
      text,
      choices: { ...choices, words },
    });
  };
}

export const recordFiles: ArgumentSpec = {
  term: '<file...>',
  description:
    'list that carbon sync keeps, records of get or watch --json, or - for standard input',
};

export const keepOption = {
  flags: '--keep <dir>',
  description: 'directory of the journal and records (default: next to the list)',
} as const satisfies OptionSpec;

/** The options that choose which records of a list are read. */
export const sheetOption = {
  flags: '--sheet <name>',
  description: 'read only this sheet of a workbook (default: all synced)',
} as const satisfies OptionSpec;

export const recordCurrencyOption = {
  flags: '--currency <code>',
  description: 'prefer records in this currency, such as EUR (default: the first of the list)',
} as const satisfies OptionSpec;

/** The option that says in which unit the emissions of records are. */
export const unitOption = {
  flags: '--unit <unit>',
  description: 'unit the records are in: t or kg; converts nothing',
  choices: ['t', 'kg'],
  alsoCalled: {
    kg: [
      'kgs',
      'kilo',
      'kilos',
      'kilogram',
      'kilograms',
      'kilogramm',
      'kgco2',
      'kgco2e',
      'kg co2e',
    ],
  },
  advice:
    'It is the unit of the records: nothing is converted. To find it out, compare one company with its own report (carbon help docs: faq.md).',
} as const satisfies OptionSpec;

export function keepWords(directory: string | undefined): string[] {
  return directory === undefined ? [] : ['--keep', directory];
}

export const atOption = {
  flags: '--at <date>',
  description: 'as of the end of this day (UTC), such as 2026-10-01',
  parse: readDay('--at'),
} as const satisfies OptionSpec;

export function readDay(flag: string): (text: string) => string {
  return (text) => {
    const day = new Date(text);
    const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime());
    if (isDay && day.toISOString().startsWith(text)) return text;
    throw new ValueError(`${flag}: "${text}" is not a date`, { flag, text, day: true });
  };
}

/** Joins all forms: `--json, --csv or -o FILE`. */
export function joinChoices(forms: readonly string[]): string {
  return [forms.slice(0, -1).join(', '), ...forms.slice(-1)].filter(Boolean).join(' or ');
}

/** @param endings those of the files, which choose the format */
export function outOption(endings: readonly string[], words = joinChoices(endings)) {
  const description = `write the result to a file: ${words}`;
  return { flags: '-o, --out <file>', description, endings } as const satisfies OptionSpec;
}

export const titleOption = {
  flags: '--title <text>',
  description: 'title of the page of -o',
} as const satisfies OptionSpec;
