/*
 * What a command declares about itself. The parser, the help, completion, the reference and the
 * manual read this and nothing else.
 */
import type { Command } from 'commander';
import type { Session } from './session.ts';

/** Output formats: text for people, one JSON document per organization, CSV rows, or ids. */
export type Format = 'human' | 'json' | 'csv' | 'ids';

export const everyFormat: readonly Format[] = ['human', 'json', 'csv', 'ids'];

export const commandGroups = ['Get data', 'Use data', 'Set up', 'Developers'] as const;

/** An option, in the syntax of commander: `-o, --out <file>`. */
export interface OptionSpec {
  readonly flags: string;
  readonly description: string;
  /** The only values; completion offers them, and every other value is an error. */
  readonly choices?: readonly string[];
  /** Returns values that completion offers besides `choices`. */
  values?(): Promise<readonly string[]>;
  parse?(text: string, previous: unknown): unknown;
  readonly default?: unknown;
  readonly shownDefault?: string;
}

export type OptionGroups = Readonly<Record<string, readonly OptionSpec[]>>;

/** An operand, in the syntax of commander: `<file...>`. */
export interface ArgumentSpec {
  readonly term: string;
  readonly description: string;
  /** What completion offers; nothing if missing. */
  readonly values?: 'files' | readonly string[];
}

export type ServiceOption = '--profile' | '--base-url' | '--sandbox';

/** The options that select a service, for commands that send requests. */
export const serviceOptions: readonly ServiceOption[] = ['--profile', '--base-url', '--sandbox'];

export interface CommandDeclaration<Options extends object = object> {
  readonly name: string;
  /** The list of commands omits a command without a group. */
  readonly group?: (typeof commandGroups)[number];
  readonly summary: string;
  /** The words after the name; by default the arguments and `[options]`. */
  readonly usage?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: OptionGroups;
  /** Complete command lines. */
  readonly examples: readonly string[];
  /** Paragraphs that --help shows, wrapped at 80 columns. */
  readonly notes?: string;
  readonly formats: readonly Format[];
  /** The global options that select a service, if the command uses one. */
  readonly service?: readonly ServiceOption[];
  /** What the command needs if its argument is missing, and a hint. */
  readonly missing?: readonly [what: string, hint: string];
  readonly excess?: string;
  readonly synonyms?: readonly string[];
  run(
    session: Session,
    operands: readonly string[],
    options: Options,
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

export function nameOf(option: OptionSpec): string {
  return flagsOf(option).at(-1) ?? '';
}

export function placeholderOf({ flags }: OptionSpec): string | undefined {
  return /[<[](.+)[>\]]/.exec(flags)?.[1];
}
