/* The words that completion scripts offer: commands, flags and the values that carbon knows. */
import type { Command, Option } from 'commander';
import { identifierFields } from '../../../registration/fields.ts';
import { countryCodes, currencyCodes } from '../../../registration/iso-codes.ts';
import { faultKinds } from '../../../sandbox/faults.ts';
import { helpTopics } from '../../help/topics.ts';

/** Shells that have a completion script. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** Shell that has a completion script. */
export type Shell = (typeof shells)[number];

/** Returns the short and the long form of a flag. */
export const flagsOf = (option: Option): string[] =>
  [option.short, option.long].filter((flag) => flag !== undefined);

/** Returns whether a flag takes a value. */
export const takesValue = (option: Option): boolean => option.required || option.optional;

/** Returns the flags of a command that help lists. */
export const allOptions = (command: Command): Option[] => [
  ...command.createHelp().visibleOptions(command),
];

/** Returns the names of all commands. */
export const names = (program: Command): string[] =>
  program.commands.map((command) => command.name());

/** Returns the values of a flag that are known at build time; undefined for any other flag. */
export function valuesOf({ long }: Option): readonly string[] | undefined {
  if (long === '--hq-region') return countryCodes();
  if (long === '--currency') return currencyCodes();
  if (long === '--fault') return faultKinds;
  if (long === '--map') return identifierFields.map(({ name }) => `${name}=`);
  return undefined;
}

/** Returns the values of the first argument of a command; `files` lets the shell complete it. */
export function operandsOf(program: Command, command: Command): readonly string[] | 'files' {
  if (command.name() === 'completion') return shells;
  if (command.name() === 'help') return [...names(program), ...helpTopics];
  if (['batch', 'footprint', 'report', 'list', 'diff'].includes(command.name())) return 'files';
  return command.registeredArguments[0]?.argChoices ?? [];
}

/** Returns each flag that has listed values once. */
export function listed(program: Command): { flags: string[]; values: readonly string[] }[] {
  const options = program.commands.flatMap(allOptions);
  const flags = [...new Set(options.filter(valuesOf).flatMap(flagsOf))];
  return flags.map((flag) => {
    const option = options.find(({ long }) => long === flag);
    return { flags: [flag], values: (option && valuesOf(option)) ?? [] };
  });
}
