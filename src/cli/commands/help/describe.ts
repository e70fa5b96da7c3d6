/* Describes the command line for programs: the same facts as the help texts, as JSON. */
import type { Argument, Command, Option } from 'commander';
import { exitCodes } from '../../exit-code-table.ts';
import { globalGroup } from '../../global-options.ts';
import { examples } from '../../help/examples.ts';
import { variables } from '../../help/topics.ts';

/** A flag. Absent members do not apply to it. */
export interface DescribedOption {
  readonly name: string;
  /** Short flag. */
  readonly alias?: string;
  /** Placeholder of the value; absent for a flag without a value. */
  readonly argument?: string;
  readonly default?: unknown;
  readonly description: string;
  /** Whether every command accepts the flag. */
  readonly global: boolean;
}

/** An operand, such as the ids of `carbon get`. */
export interface DescribedArgument {
  readonly name: string;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly choices?: readonly string[];
  readonly description: string;
}

/** A command with its flags and examples. */
export interface DescribedCommand {
  readonly name: string;
  readonly description: string;
  readonly usage: string;
  readonly arguments: readonly DescribedArgument[];
  readonly options: readonly DescribedOption[];
  readonly examples: readonly string[];
}

/* Returns the description of a command. Its options are those that its help shows. */
function describeCommand(command: Command): DescribedCommand {
  const help = command.createHelp();
  return {
    name: command.name(),
    description: command.description(),
    usage: help.commandUsage(command),
    arguments: help.visibleArguments(command).map(describeArgument),
    options: help.visibleOptions(command).map(describeOption),
    examples: examples[command.name()] ?? [],
  };
}

/** Returns the description of the program, of a command or of a topic; undefined for any other. */
export function describeTopic(program: Command, topic: string | undefined): object | undefined {
  const tables: Readonly<Record<string, object>> = {
    environment: { environment: variables },
    'exit-codes': { exit_codes: exitCodes },
  };
  if (topic === undefined) {
    return {
      ...describeCommand(program),
      version: program.version(),
      commands: program.commands.map(describeCommand),
      ...tables['exit-codes'],
      ...tables['environment'],
    };
  }
  if (Object.hasOwn(tables, topic)) return tables[topic];
  const command = program.commands.find((declared) => declared.name() === topic);
  return command && describeCommand(command);
}

/** Checks whether every command accepts an option. */
export function isGlobal({ helpGroupHeading }: Option): boolean {
  return helpGroupHeading === globalGroup;
}

function describeArgument(argument: Argument): DescribedArgument {
  const { required, variadic, argChoices, description } = argument;
  return {
    name: argument.name(),
    required,
    repeatable: variadic,
    ...(argChoices === undefined ? {} : { choices: argChoices }),
    description,
  };
}

function describeOption(option: Option): DescribedOption {
  const { long, short, flags, defaultValue, defaultValueDescription, description } = option;
  const [, argument] = /[<[](.+)[>\]]/.exec(flags) ?? [];
  // commander gives a --no-... flag the default true, which is that of its opposite.
  const isSet = defaultValue !== undefined && !option.negate;
  return {
    name: long ?? flags,
    ...(short === undefined ? {} : { alias: short }),
    ...(argument === undefined ? {} : { argument }),
    ...(isSet ? { default: defaultValueDescription ?? defaultValue } : {}),
    description,
    global: isGlobal(option),
  };
}
