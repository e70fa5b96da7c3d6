/*
 * Renders the completion script for PowerShell 5.1 and later.
 *
 * The script is ASCII, because PowerShell 5.1 reads the output of programs in the code page of the
 * console, and reads the quotation marks of other alphabets as quotes.
 */
import type { Command, Option } from 'commander';
import { allOptions, flagsOf, listed, operandsOf, takesValue } from './offered-words.ts';

/** Renders the script, which `Invoke-Expression` runs. */
export function renderPowerShell(program: Command): string {
  const options = [...program.options, ...program.commands.flatMap(allOptions)];
  const valued = listed(program);
  const known = new Set(valued.flatMap(({ flags }) => flags));
  const others = options.filter(takesValue).flatMap(flagsOf);
  const files = [...new Set(others)].filter((flag) => !known.has(flag) && flag !== '--profile');
  return `# PowerShell completion of carbon
Register-ArgumentCompleter -Native -CommandName @('carbon', 'carbon.cmd', 'carbon.ps1') -ScriptBlock {
  param($word, $line, $cursor)

  $commands = ${list(program.commands.map((command) => [command.name(), command.description()]))}
  # Flags of a command, each before its description; PowerShell ignores the case of keys.
  $flags = @{
    '' = ${flagList(allOptions(program))}
${program.commands.map((command) => `    ${quote(command.name())} = ${flagList(allOptions(command))}`).join('\n')}
  }
  $operands = @{
${operandLines(program).join('\n')}
  }
  $values = @{
${valued.map(({ flags, values }) => flags.map((flag) => `    ${quote(flag)} = ${words(values)}`).join('\n')).join('\n')}
  }
  $others = ${words(files)}

  # The words before the one at the cursor.
  $before = @($line.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $command = @($before | Where-Object { $operands.ContainsKey($_) }) + '' | Select-Object -First 1
  $previous = if ($before.Count -gt 0) { $before[-1] } else { '' }

  $offers = @()
  if ($previous -ceq '--profile') {
    $directory = if ($env:CARBON_CONFIG_DIR) { $env:CARBON_CONFIG_DIR }
      elseif ($env:APPDATA) { Join-Path $env:APPDATA 'carbon' }
      elseif ($env:XDG_CONFIG_HOME -like '/*') { Join-Path $env:XDG_CONFIG_HOME 'carbon' }
      else { Join-Path $HOME '.config/carbon' }
    $file = Join-Path $directory 'config.json'
    if (Test-Path -LiteralPath $file) {
      $stored = Get-Content -Raw -LiteralPath $file | ConvertFrom-Json
      $offers = @($stored.profiles.PSObject.Properties.Name | ForEach-Object { $_; 'profile' })
    }
  } elseif ($values.ContainsKey($previous)) {
    $offers = @($values[$previous] | ForEach-Object { $_; $_ })
  } elseif ($others -ccontains $previous) {
    # PowerShell completes the name of a file.
  } elseif ("$word".StartsWith('-')) {
    $offers = $flags[$command]
  } elseif ($command -eq '') {
    $offers = $commands
  } else {
    $offers = @($operands[$command] | ForEach-Object { $_; $_ })
  }

  for ($at = 0; $at + 1 -lt $offers.Count; $at += 2) {
    if (-not $offers[$at].StartsWith("$word", 'OrdinalIgnoreCase')) { continue }
    [System.Management.Automation.CompletionResult]::new(
      $offers[$at], $offers[$at], 'ParameterValue', $offers[$at + 1])
  }
}
`;
}

/* The keys are all commands; the values of one whose argument is a file are empty. */
function operandLines(program: Command): string[] {
  return program.commands.map((command) => {
    const operands = operandsOf(program, command);
    return `    ${quote(command.name())} = ${words(operands === 'files' ? [] : operands)}`;
  });
}

function flagList(options: readonly Option[]): string {
  return list(
    options.flatMap((option) => flagsOf(option).map((flag) => [flag, option.description] as const)),
  );
}

function list(pairs: readonly (readonly [text: string, description: string])[]): string {
  return words(pairs.flatMap(([text, description]) => [text, description || text]));
}

function words(texts: readonly string[]): string {
  return `@(${texts.map(quote).join(', ')})`;
}

function quote(text: string): string {
  return `'${toAscii(text).replaceAll("'", "''")}'`;
}

const replacements: Readonly<Record<string, string>> = { '–': '-', '→': '->', '…': '...' };

function toAscii(text: string): string {
  return text.replace(/[^ -~]/gu, (sign) => replacements[sign] ?? '?');
}
