/* What the shells offer after each word of a command line. */
import {
  type CommandDeclaration,
  flagsOf,
  type OptionSpec,
  ownOptions,
  placeholderOf,
} from '../declaration.ts';
import { applicableGlobals, globalOptions } from '../global-options.ts';

/** What a shell offers: its files, the stored profiles, or these words. */
export type Offer = 'files' | 'profiles' | readonly string[];

/** An option of a command. */
export interface OfferedOption {
  /** Its short and its long form. */
  readonly flags: readonly string[];
  readonly description: string;
  /** What follows it; undefined for an option without a value. */
  readonly value: Offer | undefined;
}

/** A command; the program itself has no name. */
export interface OfferedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OfferedOption[];
  readonly operands: Offer;
}

/** Returns what to offer for each command. */
export function offersOf(declarations: readonly CommandDeclaration[]): Promise<OfferedCommand[]> {
  const names = declarations.map(({ name }) => name);
  return Promise.all(
    declarations.map(async (declaration) => {
      const { name, summary, arguments: operands = [] } = declaration;
      const values = operands[0]?.values ?? [];
      return {
        name,
        description: summary,
        options: await offerOptions([
          ...ownOptions(declaration),
          ...applicableGlobals(declaration),
        ]),
        operands: name === 'help' ? [...names, ...values] : values,
      };
    }),
  );
}

/** Returns what to offer before a command. */
export async function offersOfProgram(): Promise<OfferedCommand> {
  return {
    name: '',
    description: '',
    options: await offerOptions(globalOptions.filter(({ isHidden }) => !isHidden)),
    operands: [],
  };
}

function offerOptions(options: readonly OptionSpec[]): Promise<OfferedOption[]> {
  const help = { flags: ['-h', '--help'], description: 'show help', value: undefined };
  const offered = options.map(async (option) => ({
    flags: flagsOf(option),
    description: option.description,
    value: await valueAfter(option),
  }));
  return Promise.all([...offered, help]);
}

async function valueAfter(option: OptionSpec): Promise<Offer | undefined> {
  const placeholder = placeholderOf(option);
  if (placeholder === undefined) return undefined;
  if (placeholder === 'file' || placeholder === 'directory') return 'files';
  if (option.flags.startsWith('--profile')) return 'profiles';
  return option.choices ?? (await option.values?.()) ?? [];
}
