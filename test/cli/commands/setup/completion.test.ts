import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeNeeds } from '../../../support/programs.ts';
import { newFolder, run } from '../../../support/run.ts';

async function script(shell: string): Promise<string> {
  const file = join(newFolder(), `carbon.${shell}`);
  writeFileSync(file, (await run(['completion', shell])).stdout);
  return file;
}

/* Returns what bash offers behind each line, and what it prints on standard error. */
async function inBash(lines: readonly string[], ...options: string[]) {
  const asks = lines.map((line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _carbon; echo "\${COMPREPLY[*]-}"`;
  });
  const ask = [`source '${await script('bash')}'`, ...asks].join('\n');
  const { stdout, stderr } = spawnSync('bash', ['--norc', ...options, '-c', ask], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  return { offered: stdout.split('\n').slice(0, -1), stderr };
}

describe('bash completion', () => {
  it('completes commands, options, known values, columns, shells and topics', async () => {
    const offered = {
      'carbon wa': 'watch',
      'carbon --json get --cu': '--currency',
      'carbon completion f': 'fish',
      'carbon help ex': 'exit-codes',
      'carbon footprint --boundary sc': 'scope-1-2',
      'carbon batch --enc': '--encoding',
      'carbon list a.csv --columns scope_1_and_2_e': 'scope_1_and_2_emission_factor',
      'carbon list --where sta': 'status',
      'carbon list --sort nam': 'name',
      'carbon list --sort -nam': '-name',
      'carbon list --sort -score,-nam': '-score,-name',
      'carbon list --sort -score,nam': '-score,name',
      'carbon list --columns id,nam': 'id,name',
      'carbon list --group-by hq_region,hq_s': 'hq_region,hq_subregion',
      'carbon batch --map name=A,lei': 'name=A,lei_number=',
      'carbon list --group-by hq': 'hq_region hq_subregion',
      'carbon register --hq-region AT': 'AT',
      'carbon sync --currency EU': 'EUR',
      'carbon footprint --spend-currency SE': 'SEK',
      'carbon batch --map na': 'name=',
      'carbon sandbox --fault sl': 'slow',
      // Flags only after a hyphen; files are left to the shell.
      'carbon batch ': '',
      'carbon get ': '',
      'carbon batch --keep ': '',
      'carbon ': expect.not.stringContaining('--json'),
    };
    const shown = await inBash(Object.keys(offered));
    expect(shown).toEqual({ offered: Object.values(offered), stderr: '' });
  });

  it('works in a shell that rejects unset variables', async () => {
    const shown = await inBash(['carbon wa', 'carbon get '], '-u');
    expect(shown).toEqual({ offered: ['watch', ''], stderr: '' });
  });
});

describeNeeds('fish', 'fish completion', () => {
  it('completes commands, options, files, columns and countries', async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'suppliers.csv'), '');
    const lines = [
      'carbon reg',
      'carbon get --cu',
      'carbon list supp',
      'carbon list --group-by hq_s',
      'carbon register --hq-region AT',
      'carbon list --columns id,hq_s',
      'carbon list --sort -score,-nam',
    ];
    const asks = lines.map((line) => `complete -C '${line}'`);
    const ask = [`source '${await script('fish')}'`, ...asks].join('; ');
    const { stdout } = spawnSync('fish', ['-c', ask], { encoding: 'utf8', cwd });
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
      'register',
      '--currency',
      'suppliers.csv',
      'hq_subregion',
      'AT',
      'id,hq_subregion',
      '-score,-name',
      '',
    ]);
  });
});

/*
 * A zsh at a terminal of its own, in which Tab is pressed behind each line, and Ctrl-U when what is
 * expected is there. It would take long to read the completions of all other programs. A zsh that
 * never shows it reads for ever, and keeps all that it reads.
 */
const pressTab = `
  ulimit -t 30
  zmodload zsh/zpty
  zpty -b shell zsh -f -i
  zpty -w shell "PROMPT='READY>' COLUMNS=200; fpath=(\\\${fpath:#*/Completion/(Unix|Linux|X|Debian|Redhat)}); autoload -Uz compinit; compinit -u -D; source $1; print LOA''DED"
  zpty -r -m shell out '*LOADED*READY>*'
  shift
  for line expected in "$@"; do
    zpty -n -w shell "$line"$'\\t'
    zpty -r -m shell out "*$expected*"
    zpty -n -w shell $'\\025'
  done
`;

describeNeeds('zsh', 'zsh completion', () => {
  it('completes the options of a command, shells, columns and currencies', async () => {
    const lines = [
      ...['carbon get 12 --cu', '--currency', 'carbon watch 1 2 - --inter', '--interval'],
      ...['carbon batch a.csv --retry', '--retry-failed', 'carbon completion z', 'zsh'],
      ...['carbon register --name A --lei', '--lei-number'],
      ...['carbon list a.csv --columns hq_s', 'hq_subregion'],
      ...['carbon list a.csv --columns id,hq_s', 'id,hq_subregion'],
      ...['carbon get 1 --currency EU', 'EUR'],
    ];
    const env = { HOME: newFolder(), PATH: process.env['PATH'], TERM: 'xterm' };
    const child = spawn('zsh', ['-f', '-c', pressTab, 'zsh', await script('zsh'), ...lines], {
      env,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  });
});

describe('PowerShell completion', () => {
  it('quotes every word, and is ASCII: PowerShell 5.1 reads the code page of the console', async () => {
    const { stdout } = await run(['completion', 'powershell']);
    expect(stdout).toMatch(/^[\n -~]+$/);
    expect(stdout).not.toContain("'?");
    const strings = /'(?:[^'\n]|'')*'/g;
    expect(stdout.match(strings)?.length).toBeGreaterThan(300);
    // Without the strings, no quote is left.
    expect(stdout.replace(strings, '').replace(/#.*/g, '')).not.toContain("'");
  });
});
