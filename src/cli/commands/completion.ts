import { UsageError } from '../../runtime/carbon-error.ts';
import { quoteWords } from '../../terminal/sanitize.ts';
import {
  applicableGlobals,
  type CommandDeclaration,
  declarationsOf,
  flagsOf,
  globalOptions,
  type OptionSpec,
  ownOptions,
  placeholderOf,
} from '../options.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

const howItWorks = `
For bash, add this line to ~/.bashrc; for zsh, to ~/.zshrc, after compinit:
  source <(carbon completion bash)

For fish, run this once:
  carbon completion fish > ~/.config/fish/completions/carbon.fish

For PowerShell, open the profile with \`notepad $PROFILE\` and add this line:
  carbon completion powershell | Out-String | Invoke-Expression`;

export const completionCommand: CommandDeclaration = {
  name: 'completion',
  group: 'Set up',
  summary: 'Print the completion script of a shell',
  arguments: [{ term: '<shell>', description: shells.join(', '), values: shells }],
  examples: ['carbon completion bash', 'carbon completion fish'],
  notes: howItWorks,
  formats: ['human'],
  missing: ['a shell', 'Try `carbon completion bash`, `zsh`, `fish` or `powershell`.'],
  async run(session, [name], _, command) {
    const shell = shells.find((known) => known === name);
    if (shell === undefined) {
      throw new UsageError(
        `No completion script for "${name}"`,
        `Use one of ${shells.join(', ')}.`,
      );
    }
    const declarations = command.parent ? declarationsOf(command.parent) : [];
    session.print(await renderCompletion(declarations, shell));
    return 0;
  },
};

export type Shell = (typeof shells)[number];

/* What a shell offers: its files, or these words. */
type Offer = 'files' | readonly string[];

interface OfferedOption {
  readonly flags: readonly string[];
  readonly description: string;
  /** What follows it; undefined for an option without a value. */
  readonly value: Offer | undefined;
}

interface OfferedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OfferedOption[];
  readonly operands: Offer;
}

interface Offers {
  readonly program: OfferedCommand;
  readonly commands: readonly OfferedCommand[];
}

export async function renderCompletion(
  declarations: readonly CommandDeclaration[],
  shell: Shell,
): Promise<string> {
  const names = declarations.map(({ name }) => name);
  const commands: OfferedCommand[] = [];
  for (const declaration of declarations) {
    const { name, summary: description, arguments: [{ values = [] } = {}] = [] } = declaration;
    const options = [...ownOptions(declaration), ...applicableGlobals(declaration)];
    const operands = name === 'help' ? [...names, ...values] : values;
    commands.push({ name, description, options: await offer(options), operands });
  }
  const options = await offer(globalOptions);
  const program = { name: '', description: '', options, operands: names };
  return { bash, zsh, fish, powershell: powerShell }[shell]({ program, commands });
}

async function offer(options: readonly OptionSpec[]): Promise<OfferedOption[]> {
  const offered: OfferedOption[] = [];
  for (const option of options) {
    const { description, choices, values } = option;
    const placeholder = placeholderOf(option);
    const isFile = placeholder === 'file' || placeholder === 'directory';
    const words = isFile ? 'files' : (choices ?? (await values?.()) ?? []);
    const value = placeholder === undefined ? undefined : words;
    offered.push({ flags: flagsOf(option), description, value });
  }
  return [...offered, { flags: ['-h', '--help'], description: 'show help', value: undefined }];
}

const quote = (text: string): string => quoteWords([text], 'linux');

/** The options of all commands by form, with all values that any command offers. */
function valuedOptions({ program, commands }: Offers): Map<string, Offer> {
  const valued = new Map<string, Offer>();
  for (const { flags, value } of [program, ...commands].flatMap(({ options }) => options)) {
    for (const flag of value === undefined ? [] : flags) {
      const known = valued.get(flag) ?? [];
      const isWords = typeof value === 'object' && typeof known === 'object';
      valued.set(flag, isWords ? [...new Set([...known, ...value])] : (value ?? []));
    }
  }
  return valued;
}

/* A flag without words keeps the default of bash: the names of files. */
function bash(offers: Offers): string {
  const { program, commands } = offers;
  const reply = (words: readonly string[]) =>
    `COMPREPLY=($(compgen -W ${quote(words.join(' '))} -- "$word"))`;
  const valued = [...valuedOptions(offers)].map(([flag, value]) => {
    if (value === 'files') return `${flag}) return ;;`;
    return `${flag}) compopt +o default 2>/dev/null; ${reply(value)}; return ;;`;
  });
  const offered = ({ options, operands }: OfferedCommand) => {
    const words = typeof operands === 'string' ? '' : `else ${reply(operands)}; `;
    const flags = options.flatMap((option) => option.flags);
    return `if [[ "$word" == -* ]]; then ${reply(flags)}; ${words}fi`;
  };
  return `# bash completion of carbon
_carbon() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      ${commands.map(({ name }) => name).join('|')}) command="\${COMP_WORDS[at]}"; break ;;
    esac
  done
  case "$previous" in
${valued.map((line) => `    ${line}`).join('\n')}
  esac
  case "$command" in
${commands.map((command) => `    ${command.name}) ${offered(command)} ;;`).join('\n')}
    *) ${offered(program)} ;;
  esac
}
complete -o default -F _carbon carbon
`;
}

function zsh({ program, commands }: Offers): string {
  const describe = (text: string) => text.replace(/[[\]:\\]/g, (sign) => `\\${sign}`);
  const action = (value: Offer) =>
    value === 'files' ? '_files' : `(${value.map(describe).join(' ')})`;
  const specs = ({ options }: OfferedCommand) =>
    options.flatMap(({ flags, description, value }) =>
      flags.map((flag) =>
        quote(
          `*${flag}[${describe(description)}]${value === undefined ? '' : `:value:${action(value)}`}`,
        ),
      ),
    );
  // zsh completes nothing after an argument that it does not know, such as an ID.
  const operands = ({ operands: offered }: OfferedCommand) =>
    quote(offered === 'files' ? '*:file:_files' : `*:argument:${action(offered)}`);
  return `#compdef carbon
_carbon() {
  local -a commands=(
${commands.map(({ name, description }) => `    ${quote(`${name}:${describe(description)}`)}`).join('\n')}
  )
  local context state state_descr line
  typeset -A opt_args
  _arguments -C ${specs(program).join(' ')} '1:command:->command' '*::argument:->argument'
  case "$state" in
    command) _describe command commands ;;
    argument)
      case "$line[1]" in
${commands.map((command) => `        ${command.name}) _arguments ${[...specs(command), operands(command)].join(' ')} ;;`).join('\n')}
      esac ;;
  esac
}
if [ "$funcstack[1]" = "_carbon" ]; then _carbon "$@"; else compdef _carbon carbon; fi
`;
}

function fish({ program, commands }: Offers): string {
  const fishQuote = (text: string) => `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`;
  const values = (value: Offer | undefined) => {
    if (value === undefined) return '';
    return value === 'files' ? ' -r' : ` -x -a ${fishQuote(value.join(' '))}`;
  };
  const option = ({ flags, description, value }: OfferedOption, when: string) => {
    const forms = flags.map((flag) =>
      flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
    );
    return `complete -c carbon -n ${fishQuote(when)} ${forms.join(' ')}${values(value)} -d ${fishQuote(description)}`;
  };
  const operands = ({ name, operands: offered }: OfferedCommand) => {
    const seen = `complete -c carbon -n '__fish_seen_subcommand_from ${name}'`;
    if (offered === 'files') return `${seen} -F`;
    return offered.length === 0
      ? `${seen} -f`
      : `${seen} -f -a ${fishQuote([...offered].join(' '))}`;
  };
  const lines = [
    '# fish completion of carbon',
    ...commands.map(
      ({ name, description }) =>
        `complete -c carbon -f -n __fish_use_subcommand -a ${name} -d ${fishQuote(description)}`,
    ),
    ...commands.map(operands),
    ...program.options.map((each) => option(each, '__fish_use_subcommand')),
    ...commands.flatMap(({ name, options }) =>
      options.map((each) => option(each, `__fish_seen_subcommand_from ${name}`)),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/*
 * For PowerShell 5.1 and later, which reads the output of programs in the code page of the console:
 * the script is ASCII.
 */
function powerShell(offers: Offers): string {
  const { program, commands } = offers;
  const literal = (text: string) => `'${text.replace(/[^ -~]/gu, '?').replaceAll("'", "''")}'`;
  const list = (texts: Offer) =>
    `@(${typeof texts === 'string' ? '' : texts.map(literal).join(', ')})`;
  const flags = ({ options }: OfferedCommand) => list(options.flatMap((option) => option.flags));
  const entries = (all: readonly (readonly [key: string, value: string])[]) =>
    all.map(([key, value]) => `    ${literal(key)} = ${value}`).join('\n');
  const all = [program, ...commands];
  return `# PowerShell completion of carbon
Register-ArgumentCompleter -Native -CommandName @('carbon', 'carbon.cmd', 'carbon.ps1') -ScriptBlock {
  param($word, $line, $cursor)

  # PowerShell ignores the case of keys.
  $options = @{
${entries(all.map((command) => [command.name, flags(command)]))}
  }
  $operands = @{
${entries(all.map(({ name, operands }) => [name, list(operands)]))}
  }
  $values = @{
${entries([...valuedOptions(offers)].map(([flag, value]) => [flag, list(value)]))}
  }

  # The words before the one at the cursor.
  $before = @($line.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $command = @($before | Where-Object { $operands.ContainsKey($_) }) + '' | Select-Object -First 1
  $previous = if ($before.Count -gt 0) { $before[-1] } else { '' }

  # Without an offer, PowerShell completes the name of a file.
  $offers = @(if ($values.ContainsKey($previous)) { $values[$previous] }
    elseif ("$word".StartsWith('-')) { $options[$command] }
    else { $operands[$command] })
  $offers | Where-Object { $_.StartsWith("$word", 'OrdinalIgnoreCase') } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
