import type { Command, Option } from 'commander';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { quoteWords } from '../../../terminal/quote-words.ts';
import type { Run } from '../../session.ts';
import {
  allOptions,
  flagsOf,
  listed,
  names,
  operandsOf,
  type Shell,
  shells,
  takesValue,
  valuesOf,
} from './offered-words.ts';
import { renderPowerShell } from './powershell.ts';

const howItWorks = `
--install writes the script to the place where the shell reads it:
  bash  ~/.local/share/bash-completion/completions/carbon
  zsh   ~/.zfunc/_carbon
  fish  ~/.config/fish/completions/carbon.fish

XDG_DATA_HOME, XDG_CONFIG_HOME, BASH_COMPLETION_USER_DIR and ZDOTDIR change
these directories. carbon prints the lines to add to a start-up file, and never
changes one. Without a shell, --install uses that of the variable SHELL.

PowerShell runs the script from your profile. Open it with \`notepad $PROFILE\`
and add this line:
  carbon completion powershell | Out-String | Invoke-Expression`;

/** Declares `carbon completion`. Installing is in install.ts. */
export function addCompletion(program: Command, run: Run): Command {
  return program
    .command('completion')
    .description('Print or install the completion script for a shell')
    .argument('[shell]', shells.join(', '), readShell)
    .option('--install', 'write the script to the place where the shell reads it')
    .addHelpText('after', howItWorks)
    .action((given: Shell | undefined, { install }: { install?: true }, command: Command) =>
      run(command, ['human'], async (session) => {
        const { context } = session;
        const shell = given ?? (install ? readLoginShell(context.env['SHELL']) : missingShell());
        const script = renderCompletion(program, shell);
        if (!install) {
          session.print(script);
          return 0;
        }
        if (shell === 'powershell') throw notInstallable();
        const { installCompletion } = await import('./install.ts');
        session.print(await installCompletion(shell, script, context));
        return 0;
      }),
    );
}

function readShell(text: string): Shell {
  const shell = shells.find((known) => known === text);
  if (shell !== undefined) return shell;
  throw new UsageError(`No completion script for "${text}"`, `Use one of ${shells.join(', ')}.`);
}

function readLoginShell(path = ''): Shell {
  const name = path.split('/').at(-1);
  const shell = shells.find((known) => known === name);
  if (shell !== undefined) return shell;
  const problem = path === '' ? 'SHELL is not set' : `no completion script for SHELL=${path}`;
  throw new UsageError(
    `--install needs a shell: ${problem}`,
    'Name one of bash, zsh, fish: carbon completion --install bash',
  );
}

function missingShell(): never {
  throw new UsageError(
    'carbon completion needs a shell',
    'Try `carbon completion bash`, `zsh`, `fish` or `powershell`.',
  );
}

/* Only PowerShell knows where its profile is, and a policy may forbid scripts in other files. */
function notInstallable(): UsageError {
  return new UsageError(
    '--install does not apply to powershell',
    `Add this line to the file that $PROFILE names: ${powerShellLine}`,
  );
}

const powerShellLine = 'carbon completion powershell | Out-String | Invoke-Expression';

/** Renders the completion script of a shell, with every command and flag. */
export function renderCompletion(program: Command, shell: Shell): string {
  return {
    bash: renderBash,
    zsh: renderZsh,
    fish: renderFish,
    powershell: renderPowerShell,
  }[shell](program);
}

const quote = (text: string): string => quoteWords([text], 'linux');

/*
 * The shell reads the profiles from their file, so that carbon does not start at each key press. As
 * in `carbon`, only an absolute XDG_CONFIG_HOME counts. bash 3.2 needs the first parentheses.
 */
const profileNames =
  `sed -n 's/^\\t\\t"\\([A-Za-z0-9._-]*\\)": {$/\\1/p' ` +
  `"\${CARBON_CONFIG_DIR:-$(case \${XDG_CONFIG_HOME-} in (/*) echo "$XDG_CONFIG_HOME" ;; ` +
  `(*) echo "$HOME/.config" ;; esac)/carbon}/config.json" 2>/dev/null`;

function renderBash(program: Command): string {
  const options = program.commands.flatMap(allOptions).filter(takesValue);
  const valued = listed(program);
  const known = new Set([...valued.flatMap(({ flags }) => flags), '--profile']);
  const others = [...new Set(options.flatMap(flagsOf))].filter((flag) => !known.has(flag));
  const offer = (flags: readonly string[], operands: readonly string[] | 'files') => {
    const otherwise =
      operands === 'files'
        ? ''
        : `else COMPREPLY=($(compgen -W ${quote(operands.join(' '))} -- "$word")); `;
    return `if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W ${quote(flags.join(' '))} -- "$word")); ${otherwise}fi`;
  };
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
${valued.map(({ flags, values }) => `    ${flags.join('|')}) COMPREPLY=($(compgen -W ${quote(values.join(' '))} -- "$word")); return ;;`).join('\n')}
    --profile) COMPREPLY=($(compgen -W "$(${profileNames})" -- "$word")); return ;;
    ${others.join('|')}) return ;;
  esac
  case "$command" in
${program.commands.map((command) => `    ${command.name()}) ${offer(allOptions(command).flatMap(flagsOf), operandsOf(program, command))} ;;`).join('\n')}
    *) ${offer(allOptions(program).flatMap(flagsOf), names(program))} ;;
  esac
}
complete -o default -F _carbon carbon
`;
}

function renderZsh(program: Command): string {
  const describe = (text: string) => text.replace(/[[\]:\\]/g, (sign) => `\\${sign}`);
  const values = (option: Option) => {
    const known = valuesOf(option);
    if (known !== undefined) return `:value:(${known.join(' ')})`;
    if (option.long === '--profile') return ':profile:_carbon_profiles';
    return takesValue(option) ? ':value:_files' : '';
  };
  const specs = (command: Command) =>
    allOptions(command).flatMap((option) =>
      flagsOf(option).map((flag) =>
        quote(`*${flag}[${describe(option.description)}]${values(option)}`),
      ),
    );
  const operands = (command: Command) => {
    const choices = operandsOf(program, command);
    if (choices === 'files') return [quote('*:file:_files')];
    if (choices.length > 0) return [quote(`1:topic:(${choices.join(' ')})`)];
    // zsh completes nothing after an argument that it does not know, such as an id.
    return command.registeredArguments.map((argument) => quote(`*:${argument.name()}: `));
  };
  return `#compdef carbon
_carbon_profiles() { compadd -- \${(f)"$(${profileNames})"}; }
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
  const values = (option: Option) => {
    const known = valuesOf(option);
    if (known !== undefined) return [`-x -a ${fishQuote(known.join(' '))}`];
    if (option.long === '--profile')
      return [`-x -a ${fishQuote(`(sh -c ${fishQuote(profileNames)})`)}`];
    return takesValue(option) ? ['-r'] : [];
  };
  const flag = (option: Option, when: string) =>
    [
      'complete -c carbon',
      `-n ${fishQuote(when)}`,
      ...(option.short ? [`-s ${option.short.slice(1)}`] : []),
      ...(option.long ? [`-l ${option.long.slice(2)}`] : []),
      ...values(option),
      `-d ${fishQuote(option.description)}`,
    ].join(' ');
  const command = (subcommand: Command) =>
    `complete -c carbon -f -n __fish_use_subcommand -a ${subcommand.name()} -d ${fishQuote(subcommand.description())}`;
  const operands = (subcommand: Command) => {
    const choices = operandsOf(program, subcommand);
    const seen = `complete -c carbon -n '__fish_seen_subcommand_from ${subcommand.name()}'`;
    if (choices === 'files') return `${seen} -F`;
    return choices.length === 0 ? `${seen} -f` : `${seen} -f -a ${fishQuote(choices.join(' '))}`;
  };
  return `# fish completion of carbon
${program.commands.map(command).join('\n')}
${program.commands.map(operands).join('\n')}
${allOptions(program)
  .map((option) => flag(option, '__fish_use_subcommand'))
  .join('\n')}
${program.commands.flatMap((subcommand) => allOptions(subcommand).map((option) => flag(option, `__fish_seen_subcommand_from ${subcommand.name()}`))).join('\n')}
`;
}
