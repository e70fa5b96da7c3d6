/* Describes the command line for programs: the same facts as the help texts, as JSON. */
import packageJson from '../../../package.json' with { type: 'json' };
import {
  type ArgumentSpec,
  type CommandDeclaration,
  flagsOf,
  nameOf,
  type OptionSpec,
  ownOptions,
  placeholderOf,
} from '../declaration.ts';
import { applicableGlobals, globalOptions } from '../global-options.ts';
import { organizationTable } from '../output/record-tables.ts';
import { usageOf } from './render.ts';
import { exitCodes, variables } from './topics.ts';

/** An option. Missing members do not apply to it. */
export interface DescribedOption {
  readonly name: string;
  /** Short form. */
  readonly alias?: string;
  /** Placeholder of the value; missing for an option without a value. */
  readonly argument?: string;
  readonly choices?: readonly string[];
  readonly default?: unknown;
  readonly description: string;
  /** Whether every command accepts the option. */
  readonly global: boolean;
}

/** An operand, such as the IDs of `carbon get`. */
export interface DescribedArgument {
  readonly name: string;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly choices?: readonly string[];
  readonly description: string;
}

/** A command with its options and examples. */
export interface DescribedCommand {
  readonly name: string;
  readonly description: string;
  readonly usage: string;
  readonly arguments: readonly DescribedArgument[];
  readonly options: readonly DescribedOption[];
  readonly examples: readonly string[];
}

function describeCommand(declaration: CommandDeclaration): DescribedCommand {
  const { name, summary, examples, arguments: operands = [] } = declaration;
  return {
    name,
    description: summary,
    usage: usageOf(declaration),
    arguments: operands.map(describeArgument),
    options: [
      ...ownOptions(declaration).map((option) => describeOption(option, false)),
      ...applicableGlobals(declaration).map((option) => describeOption(option, true)),
    ],
    examples,
  };
}

/** Returns the description of the program, of a command or of a topic; undefined for any other. */
export function describeTopic(
  declarations: readonly CommandDeclaration[],
  topic: string | undefined,
): object | undefined {
  const tables: Readonly<Record<string, object>> = {
    environment: { environment: variables },
    'exit-codes': { exit_codes: exitCodes },
    columns: {
      columns: organizationTable.columns.map(({ name, type, description }) => ({
        name,
        type,
        description,
      })),
    },
    options: {
      options: globalOptions
        .filter(({ isHidden }) => !isHidden)
        .map((option) => describeOption(option, true)),
    },
  };
  if (topic === undefined) {
    return {
      name: 'carbon',
      version: packageJson.version,
      usage: 'carbon <command> [options]',
      ...tables['options'],
      commands: declarations.map(describeCommand),
      ...tables['exit-codes'],
      ...tables['environment'],
    };
  }
  if (Object.hasOwn(tables, topic)) return tables[topic];
  const declaration = declarations.find(({ name }) => name === topic);
  return declaration && describeCommand(declaration);
}

function describeArgument({ term, description, values }: ArgumentSpec): DescribedArgument {
  return {
    name: term.replace(/[[\]<>.]/g, ''),
    required: term.startsWith('<'),
    repeatable: term.includes('...'),
    ...(values === undefined || values === 'files' ? {} : { choices: values }),
    description,
  };
}

function describeOption(option: OptionSpec, isGlobal: boolean): DescribedOption {
  const { choices, default: value, shownDefault, description } = option;
  const [alias] = flagsOf(option).filter((flag) => !flag.startsWith('--'));
  const argument = placeholderOf(option);
  const shown = shownDefault ?? value;
  return {
    name: nameOf(option),
    ...(alias === undefined ? {} : { alias }),
    ...(argument === undefined ? {} : { argument }),
    ...(choices === undefined ? {} : { choices }),
    ...(shown === undefined ? {} : { default: shown }),
    description,
    global: isGlobal,
  };
}
