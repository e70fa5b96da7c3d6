import type { Command, Option } from 'commander';
import { UsageError } from '../errors.ts';
import type { Run } from './run.ts';

/** The shells that completion is generated for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** One of the shells that completion is generated for. */
export type Shell = (typeof shells)[number];

/** Declares `carbon completion`. */
export function addCompletion(program: Command, run: Run): Command {
  return program
    .command('completion')
    .description('Print the completion script of a shell')
    .argument('<shell>', shells.join(', '), readShell)
    .addHelpText(
      'after',
      `
Install:
  bash  carbon completion bash \\
          > ~/.local/share/bash-completion/completions/carbon
  zsh   carbon completion zsh > "\${fpath[1]}/_carbon"
  fish  carbon completion fish > ~/.config/fish/completions/carbon.fish`,
    )
    .action((shell: Shell, _: unknown, command: Command) =>
      run(command, ['human'], async (session) => {
        session.print(renderCompletion(program, shell));
        return 0;
      }),
    );
}

function readShell(text: string): Shell {
  const shell = shells.find((known) => known === text);
  if (shell !== undefined) return shell;
  throw new UsageError(`There is no completion for "${text}"`, `Shells: ${shells.join(', ')}.`);
}

/** The completion script of a shell for every command and flag of the program. */
export function renderCompletion(program: Command, shell: Shell): string {
  return { bash: renderBash, zsh: renderZsh, fish: renderFish }[shell](program);
}

const flagsOf = (option: Option): string[] =>
  [option.short, option.long].filter((flag) => flag !== undefined);
const takesValue = (option: Option): boolean => option.required || option.optional;
const allOptions = (command: Command): Option[] => [...command.createHelp().visibleOptions(command)];
const names = (program: Command): string[] => program.commands.map((command) => command.name());
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function words(program: Command, command: Command): string {
  const more = { completion: [...shells], help: [...names(program), 'environment', 'exit-codes'] }[
    command.name()
  ];
  return [...(more ?? []), ...allOptions(command).flatMap(flagsOf)].join(' ');
}

function renderBash(program: Command): string {
  const withValue = program.commands.flatMap(allOptions).filter(takesValue).flatMap(flagsOf);
  return `# bash completion of carbon
_carbon() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      ${names(program).join('|')}) command="\${COMP_WORDS[at]}"; break ;;
    esac
  done
  case "$previous" in
    ${[...new Set(withValue)].join('|')}) return ;;
  esac
  case "$command" in
${program.commands.map((command) => `    ${command.name()}) COMPREPLY=($(compgen -W ${quote(words(program, command))} -- "$word")) ;;`).join('\n')}
    *) COMPREPLY=($(compgen -W ${quote(`${names(program).join(' ')} ${allOptions(program).flatMap(flagsOf).join(' ')}`)} -- "$word")) ;;
  esac
}
complete -o default -F _carbon carbon
`;
}

function renderZsh(program: Command): string {
  const describe = (text: string) => text.replace(/[[\]:\\]/g, (sign) => `\\${sign}`);
  const specs = (command: Command) =>
    allOptions(command).flatMap((option) =>
      flagsOf(option).map((flag) =>
        quote(`*${flag}[${describe(option.description)}]${takesValue(option) ? ':value:_files' : ''}`),
      ),
    );
  const operands = (command: Command) => {
    const choices = { completion: [...shells], help: [...names(program), 'environment', 'exit-codes'] }[
      command.name()
    ];
    return choices === undefined ? [] : [quote(`1:topic:(${choices.join(' ')})`)];
  };
  return `#compdef carbon
_carbon() {
  local -a commands=(
${program.commands.map((command) => `    ${quote(`${command.name()}:${describe(command.description())}`)}`).join('\n')}
  )
  local context state state_descr line
  typeset -A opt_args
  _arguments -C ${specs(program).join(' ')} '1:command:->command' '*::argument:->argument'
  case "$state" in
    command) _describe command commands ;;
    argument)
      case "$line[1]" in
${program.commands.map((command) => `        ${command.name()}) _arguments ${[...specs(command), ...operands(command)].join(' ')} ;;`).join('\n')}
      esac ;;
  esac
}
if [ "$funcstack[1]" = "_carbon" ]; then _carbon "$@"; else compdef _carbon carbon; fi
`;
}

function renderFish(program: Command): string {
  const fishQuote = (text: string) => `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`;
  const flag = (option: Option, when: string) =>
    [
      'complete -c carbon',
      `-n ${fishQuote(when)}`,
      ...(option.short ? [`-s ${option.short.slice(1)}`] : []),
      ...(option.long ? [`-l ${option.long.slice(2)}`] : []),
      ...(takesValue(option) ? ['-r'] : []),
      `-d ${fishQuote(option.description)}`,
    ].join(' ');
  const command = (one: Command) =>
    `complete -c carbon -f -n __fish_use_subcommand -a ${one.name()} -d ${fishQuote(one.description())}`;
  const choices = {
    completion: shells.join(' '),
    help: `${names(program).join(' ')} environment exit-codes`,
  };
  return `# fish completion of carbon
${program.commands.map(command).join('\n')}
${Object.entries(choices)
  .map(
    ([name, values]) =>
      `complete -c carbon -f -n '__fish_seen_subcommand_from ${name}' -a ${fishQuote(values)}`,
  )
  .join('\n')}
${allOptions(program)
  .map((option) => flag(option, '__fish_use_subcommand'))
  .join('\n')}
${program.commands.flatMap((one) => allOptions(one).map((option) => flag(option, `__fish_seen_subcommand_from ${one.name()}`))).join('\n')}
`;
}
