import { quoteWords } from '../../../display/terminal/sanitize.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { command, hint } from '../../../runtime/hint.ts';
import {
  applicableGlobals,
  type CommandDeclaration,
  declarationsOf,
  flagsOf,
  globalOptions,
  type OptionSpec,
  ownOptions,
} from '../../options.ts';

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
  missing: ['a shell', hint`Try ${command`completion bash`}, \`zsh\`, \`fish\` or \`powershell\`.`],
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

/*
 * The words that each script offers, with their descriptions: after `carbon`, after a command, and
 * after an option with known values. Where there are none, the shell offers the names of files.
 */
type Offers = ReadonlyMap<string, ReadonlyMap<string, string>>;

export async function renderCompletion(
  declarations: readonly CommandDeclaration[],
  shell: Shell,
): Promise<string> {
  const offers = new Map<string, Map<string, string>>();
  const add = (key: string, word: string, description = '') =>
    offers.set(key, (offers.get(key) ?? new Map()).set(word, description));
  const addOptions = async (key: string, options: readonly OptionSpec[]) => {
    for (const option of options) {
      const values = option.choices ?? (await option.offers?.()) ?? [];
      for (const flag of flagsOf(option)) {
        add(key, flag, option.description);
        for (const value of values) add(flag, value);
      }
    }
    for (const flag of ['-h', '--help']) add(key, flag, 'show help');
  };
  for (const declaration of declarations) {
    const { name, summary, arguments: [{ values = [] } = {}] = [] } = declaration;
    add('carbon', name, summary);
    add('help', name, summary);
    for (const value of values) add(name, value);
    await addOptions(name, [...ownOptions(declaration), ...applicableGlobals(declaration)]);
  }
  await addOptions('carbon', globalOptions);
  return { bash, zsh: bash, fish, powershell: powerShell }[shell](offers);
}

/* Returns a line `key, word, description` for each word, with tabs between them. */
function table(offers: Offers): string {
  const lines = [...offers].flatMap(([key, words]) =>
    [...words].map(([word, description]) => `${key}\t${word}\t${description}`),
  );
  return `\n${lines.join('\n')}\n`;
}

const quote = (text: string): string => quoteWords([text], 'linux');

function bash(offers: Offers): string {
  return `# bash and zsh completion of carbon
if [ -n "\${ZSH_VERSION-}" ]; then autoload -U +X bashcompinit && bashcompinit; fi
_carbon_words=${quote(table(offers))}
_carbon() {
  local word="\${COMP_WORDS[COMP_CWORD]}" key=carbon before= at offered text rest
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      -*) ((at + 1 == COMP_CWORD)) || continue ;;
      *) [ "$key" = carbon ] || continue ;;
    esac
    if [[ "$_carbon_words" == *$'\n'"\${COMP_WORDS[at]}"$'\t'* ]]; then key="\${COMP_WORDS[at]}"; fi
  done
  # Of names with commas between them, complete the last.
  if [[ "$key" == -* && "$word" == *,* ]]; then before="\${word%,*}," word="\${word##*,}"; fi
  COMPREPLY=()
  while IFS=$'\t' read -r offered text rest; do
    if [[ "$offered" == "$key" && "$text" == "$word"* && ("$word" == -* || "$text" != -*) ]]; then
      COMPREPLY+=("$before$text")
    fi
  done <<< "$_carbon_words"
}
complete -o default -F _carbon carbon
`;
}

function fish(offers: Offers): string {
  const quoted = `'${table(offers).replace(/[\\']/g, '\\$&')}'`;
  return `# fish completion of carbon
set -g _carbon_words (string split \\n -- ${quoted})
function _carbon_offers
  set -l key carbon
  set -l before (commandline -opc)
  for word in $before[2..-1]
    if test $key = carbon; and string match -q -- $word\\t'*' $_carbon_words
      string match -q -- '-*' $word; or set key $word
    end
  end
  if string match -q -- '-*' $before[-1]; and string match -q -- $before[-1]\\t'*' $_carbon_words
    set key $before[-1]
  end
  set -l offers (string match -- $key\\t'*' $_carbon_words | string replace -- $key\\t '')
  # Of names with commas between them, complete the last.
  set -l given
  string match -q -- '-*' $key; and set given (string match -r -- '.*,' (commandline -ct))
  if string match -q -- '-*' (string replace -r -- '.*,' '' (commandline -ct))
    set offers (string match -- '-*' $offers)
  else
    set offers (string match -v -- '-*' $offers)
  end
  set -q offers[1]; and printf '%s\\n' "$given"$offers
end
complete -c carbon -n '_carbon_offers >/dev/null' -f -a '(_carbon_offers)'
`;
}

/* For PowerShell 5.1 and later, which reads programs in the code page of the console: ASCII. */
function powerShell(offers: Offers): string {
  const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const lines = [...offers].map(([key, words]) => {
    const list = [...words.keys()].map(literal).join(', ');
    return `    ${literal(key)} = @(${list})`;
  });
  return `# PowerShell completion of carbon
Register-ArgumentCompleter -Native -CommandName @('carbon', 'carbon.cmd', 'carbon.ps1') -ScriptBlock {
  param($word, $line, $cursor)

  $offers = @{
${lines.join('\n')}
  }
  # The words before the one at the cursor.
  $before = @($line.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $key = @($before | Where-Object { $_ -notlike '-*' -and $offers.ContainsKey($_) }) + 'carbon' |
    Select-Object -First 1
  $previous = if ($before.Count -gt 0) { $before[-1] } else { '' }
  if ($previous -like '-*' -and $offers.ContainsKey($previous)) { $key = $previous }
  # Of names with commas between them, complete the last.
  $at = if ($key -like '-*') { "$word".LastIndexOf(',') + 1 } else { 0 }
  $given = "$word".Substring(0, $at)
  $last = "$word".Substring($at)
  # Without a word, PowerShell completes the name of a file.
  $offers[$key] | Where-Object {
    $_.StartsWith($last, 'OrdinalIgnoreCase') -and ($last.StartsWith('-') -or $_ -notlike '-*')
  } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new("$given$_", $_, 'ParameterValue', $_)
  }
}
`;
}
