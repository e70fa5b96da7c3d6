/* Installs the completion script of a shell for the current user. Changes no other file. */
import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { absolutePath, createDirectory } from '../../../config/paths.ts';
import { writeAtomically } from '../../../runtime/atomic-file.ts';
import { CarbonError, LocalError, UsageError } from '../../../runtime/carbon-error.ts';
import type { Context } from '../../../runtime/context.ts';
import { thisMachine } from '../../../runtime/machine.ts';
import { codeOf, explainSystemError } from '../../../runtime/system-error.ts';
import { quoteWords } from '../../../terminal/quote-words.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import type { Shell } from './offered-words.ts';

/** Shell whose script carbon can install. */
type InstallableShell = Exclude<Shell, 'powershell'>;

type User = Pick<Context, 'env' | 'home' | 'process'>;

/** Where a shell reads the script, and what the user must do. */
interface Place {
  readonly path: string;
  /** What the user must do, as complete lines; undefined if the shell finds the script. */
  readonly steps?: string | undefined;
}

/* Paths in which the package bash-completion has its main script on Debian, BSD and macOS. */
const bashCompletionScripts = [
  '/usr/share/bash-completion/bash_completion',
  '/usr/local/share/bash-completion/bash_completion',
  '/usr/local/etc/profile.d/bash_completion.sh',
  '/opt/homebrew/etc/profile.d/bash_completion.sh',
];

const places: Readonly<
  Record<InstallableShell, (user: User, home: string) => Place | Promise<Place>>
> = {
  // bash-completion 2 loads scripts of this directory when they are needed.
  bash: ({ env }, home) => {
    const data = absolutePath(env['XDG_DATA_HOME']) ?? join(home, '.local/share');
    const directory = env['BASH_COMPLETION_USER_DIR'] || join(data, 'bash-completion');
    const path = resolve(directory, 'completions/carbon');
    if (bashCompletionScripts.some((script) => existsSync(script))) return { path };
    return {
      path,
      steps: `Install the package bash-completion, or add this line to ~/.bashrc:\n  source ${quoteWords([path])}`,
    };
  },
  // zsh has no directory of the user in its default path.
  zsh: async ({ env }, home) => {
    const configuration = resolve(env['ZDOTDIR'] || home);
    const directory = join(configuration, '.zfunc');
    const path = join(directory, '_carbon');
    const file = join(configuration, '.zshrc');
    const text = await readFile(file, 'utf8').catch(() => '');
    if (/^[^#\n]*\.zfunc\b/m.test(text)) return { path };
    const lines = [`fpath+=(${quoteWords([directory])})`];
    const hasCompletion = /^[^#\n]*\bcompinit\b/m.test(text);
    const [where, added] = hasCompletion
      ? ['this line to FILE, above compinit', lines]
      : ['these lines to FILE', [...lines, 'autoload -Uz compinit && compinit']];
    const steps = [`Add ${where.replace('FILE', file)}:`, ...added.map((line) => `  ${line}`)];
    return { path, steps: steps.join('\n') };
  },
  fish: ({ env }, home) => {
    const configuration = absolutePath(env['XDG_CONFIG_HOME']) ?? join(home, '.config');
    return { path: resolve(configuration, 'fish/completions/carbon.fish') };
  },
};

/**
 * Writes the script to the place where the shell of the current user reads it, and returns what
 * happened, as complete lines.
 * @throws UsageError without a home directory
 * @throws LocalError if the script cannot be written, or if another program wrote the file
 */
export async function installCompletion(
  shell: InstallableShell,
  script: string,
  user: User,
): Promise<string> {
  if (!user.home) {
    throw new UsageError('No home directory found', `Set HOME, or ${writeHint(shell)}`);
  }
  const { path, steps } = await places[shell](user, user.home);
  const isWritten = await writeScript(path, shell, script, user.process.id);
  const result = isWritten ? `Wrote ${path}` : `${path} is up to date`;
  const lines = [result, ...(steps ?? 'New shells complete carbon.').split('\n')];
  return `${lines.map(sanitize).join('\n')}\n`;
}

/* Returns whether the file changed. */
async function writeScript(
  path: string,
  shell: InstallableShell,
  script: string,
  pid: number,
): Promise<boolean> {
  const hint = `${writeHint(shell).replace(/^w/, 'W')}`;
  try {
    const target = await realpath(path).catch(() => path);
    const existing = await readFile(target, 'utf8').catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    if (existing === script) return false;
    // Every version of the script begins with the same line.
    const [firstLine = ''] = script.split('\n', 1);
    if (existing && !existing.startsWith(`${firstLine}\n`))
      throw new LocalError(`${path}: carbon did not write the existing file`, {
        hint: `Remove the file, or ${writeHint(shell)}`,
      });
    createDirectory(dirname(target), hint);
    await writeAtomically(target, thisMachine(pid), async ({ handle, commit }) => {
      await handle.writeFile(script);
      // zsh ignores scripts that a group may write to.
      await handle.chmod(0o644);
      await commit();
    });
    return true;
  } catch (cause) {
    if (cause instanceof CarbonError) throw cause;
    throw new LocalError(`Cannot write ${path}: ${explainSystemError(cause)}`, { hint });
  }
}

function writeHint(shell: InstallableShell): string {
  return `write the script yourself: carbon completion ${shell} > <file>`;
}
