/*
 * Reads the API key from the file or the command that provides it. Only a run that sends a request
 * loads this file. Errors name the command and how it ended, and never quote its output.
 */

import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { checkKey } from '../api/credentials.ts';
import { HintedError, LocalError, UsageError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { maxFirstLineLength } from '../runtime/run-command.ts';
import { codeOf, explainSystemError } from '../runtime/system-error.ts';
import { findChangeable } from './profiles.ts';
import type { KeySource, Sourced } from './settings.ts';

/** Maximum duration of a key command, in milliseconds. */
export const maxCommandMs = 30_000;

export interface KeyMessages {
  /** Hides the key in all later messages. */
  hide(key: string): void;
  /** Prints a line of the command's standard error. */
  reportErrorLine(line: string): void;
}

/**
 * Returns the key that a source provides, and hides it in all later messages.
 * @throws HintedError if the source provides no valid key
 * @throws LocalError if other users could change a stored command
 */
export async function readKey(
  context: Context,
  source: KeySource,
  messages: KeyMessages,
): Promise<string> {
  if (source.kind === 'key') return source.value;
  const line =
    source.kind === 'file'
      ? readKeyFile(context, source)
      : await runKeyCommand(context, source, messages);
  try {
    const key = checkKey(line, source.from);
    messages.hide(key);
    return key;
  } catch {
    const name = source.kind === 'file' ? 'The key file' : 'The first line of the key command';
    throw noKey(
      `${name} ${source.value.trim()} (${source.from}) contains invalid characters`,
      'An API key contains only visible ASCII characters and no spaces.',
    );
  }
}

async function runKeyCommand(
  context: Context,
  { value, from, isStored }: KeySource,
  { hide, reportErrorLine }: KeyMessages,
): Promise<string> {
  if (isStored) refuseChangeable(context, from);
  const words = readKeyCommand({ value, from });
  // A key in these lines is hidden once it is known. On a terminal, the command may prompt.
  const held: string[] = [];
  const hold = (line: string) => held.push(line);
  const onErrorLine = context.stderr.isTerminal ? reportErrorLine : hold;
  const fail = (problem: string, hint: string) =>
    noKey(`The key command \`${value.trim()}\` (${from}) ${problem}`, hint);
  try {
    const outcome = await context.runCommand(words, { limitMs: maxCommandMs, onErrorLine });
    // Ordinary words of a failed command are no key; hiding them would make messages unreadable.
    if ('firstLine' in outcome && /^\S+$/.test(outcome.firstLine.trim()))
      hide(outcome.firstLine.trim());
    if (outcome.kind === 'not_started') throw fail(...notStarted(words[0] ?? '', outcome.error));
    if (outcome.kind === 'timed_out')
      throw fail(
        `did not end within ${maxCommandMs / 1_000} s`,
        'carbon stopped it. Run it in a terminal to see what it waits for.',
      );
    const seeWhy = 'Run it in a terminal to see why.';
    if (outcome.kind === 'killed') throw fail(`was terminated by ${outcome.signal}`, seeWhy);
    if (outcome.code !== 0) throw fail(`failed with exit code ${outcome.code}`, seeWhy);
    const { firstLine } = outcome;
    const mustPrint = 'The first line that it prints must be the API key.';
    if (firstLine.length > maxFirstLineLength)
      throw fail(`printed a line of more than ${maxFirstLineLength / 1_024} KiB`, mustPrint);
    if (firstLine.trim() === '') throw fail('printed no key', mustPrint);
    return firstLine;
  } finally {
    for (const line of held) reportErrorLine(line);
  }
}

function refuseChangeable(context: Context, from: string): void {
  const path = findChangeable(context);
  if (path === undefined) return;
  throw new LocalError(
    `carbon does not run the key command of ${from}: other users can change ${path}`,
    { hint: `Check the command with \`carbon whoami\`, then run \`chmod go-w\` on ${path}.` },
  );
}

function notStarted(program: string, error: unknown): [problem: string, hint: string] {
  const hints: Readonly<Record<string, string>> = {
    ENOENT: 'Check PATH, or write the absolute path of the program.',
    // Node starts neither .bat nor .cmd files without a shell.
    EINVAL: 'A .bat or .cmd file needs its interpreter: cmd /c name.',
  };
  const hint = hints[codeOf(error)] ?? 'Check that you may run the program.';
  return [`cannot be started: ${program}: ${explainSystemError(error)}`, hint];
}

/**
 * Returns the words of a key command: the program and its arguments, which spaces separate and
 * quotes hold together. No shell interprets them. The program is a name or an absolute path, so the
 * current directory never decides what runs.
 * @throws UsageError for what only a shell could run, and for a relative path
 */
export function readKeyCommand({ value, from }: Sourced<string>): string[] {
  const words = splitWords(value.trim(), from);
  const [program = ''] = words;
  if (program === '') throw new UsageError(`${from}: the command is empty`);
  if (/[\\/]/.test(program) && !isAbsolute(program))
    throw new UsageError(
      `${from}: the command names its program by the relative path ${program}`,
      'Write an absolute path, or the name of a program in PATH.',
    );
  return words;
}

function splitWords(text: string, from: string): string[] {
  // In double quotes, a shell would interpret only $ and `.
  const outside = text.replace(/'[^']*'|"([^"]*)"/g, (_, quoted = '') =>
    quoted.replace(/[^$`]/g, ''),
  );
  const [active] = /[|&;<>$`\r\n\0]/.exec(outside) ?? [];
  if (active !== undefined) {
    throw new UsageError(
      `${from}: the command contains ${/[\r\n\0]/.test(active) ? 'a line break' : `"${active}"`}, but carbon starts no shell`,
      "Put the text in single quotes, or run a shell: sh -c '...'.",
    );
  }
  if (/['"]/.test(outside))
    throw new UsageError(`${from}: a quote is not closed`, 'Close the quote.');
  const words = text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

const maxKeyBytes = 65_536;

/**
 * Returns the lines that are not blank; an API key is the only one. Reads UTF-8 and, after a byte
 * order mark, UTF-16, which PowerShell 5 writes.
 */
export function keyLines(bytes: Uint8Array): string[] {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
}

/**
 * Reads the only line of a file that is not blank. Others may read the file, as Kubernetes mounts
 * secrets with the mode 0444.
 * @throws HintedError that names the file
 */
export function readKeyFile(
  context: Pick<Context, 'process'>,
  { value: path, from }: Sourced<string>,
): string {
  const name = `The key file ${path} (${from})`;
  const unreadable = (cause: unknown) =>
    noKey(
      `${name} cannot be read: ${explainSystemError(cause)}`,
      path.startsWith('~')
        ? `carbon does not expand ~. Set ${from} to an absolute path.`
        : `Check ${from} and the permissions of the file.`,
    );
  let bytes: Buffer;
  try {
    const stat = statSync(path);
    // A pipe can be read only once, and nothing shows who writes to it.
    if (!stat.isFile())
      throw noKey(
        `${name} is not a file`,
        'Name a file that contains only the API key, or set CARBON_API_KEY_COMMAND to a command that prints it.',
      );
    if (stat.size > maxKeyBytes)
      throw noKey(`${name} is larger than ${maxKeyBytes / 1_024} KiB`, keyOnly);
    const { userId } = context.process;
    if (userId !== undefined) checkWritable(userId, name, path);
    bytes = readFileSync(path);
  } catch (cause) {
    throw cause instanceof HintedError ? cause : unreadable(cause);
  }
  const lines = keyLines(bytes);
  if (lines.length > 1)
    throw noKey(`${name} has ${lines.length} lines, but an API key is one line`, keyOnly);
  if (lines.length === 0) throw noKey(`${name} is empty`, keyOnly);
  return lines[0] ?? '';
}

const keyOnly = 'The file must contain only the API key.';

function noKey(message: string, hint: string): HintedError {
  return new HintedError('no_key', message, { hint });
}

/*
 * Neither the file nor a directory or link on the way to it may be writable for other users than
 * this one and root. In a directory with the sticky bit, such as /tmp or the volume of a Kubernetes
 * secret, only owners can replace their entries.
 */
function checkWritable(userId: number, name: string, path: string): void {
  for (const start of [resolve(path), realpathSync.native(path)]) {
    for (let entry = start, last = ''; entry !== last; last = entry, entry = dirname(entry)) {
      // A path with .. after a link exists only as the real path.
      const stat = lstatSync(entry, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      const where = entry === path ? '' : `${entry}: `;
      if (stat.uid !== userId && stat.uid !== 0) {
        throw noKey(
          `${name} is not used: ${where}it belongs to another user (uid ${stat.uid})`,
          'The file and the directories above it must belong to you or to root.',
        );
      }
      const isSticky = stat.isDirectory() && (stat.mode & 0o1000) !== 0;
      // The mode of a symbolic link has no meaning.
      if (stat.isSymbolicLink() || isSticky || (stat.mode & 0o022) === 0) continue;
      const mode = (stat.mode & 0o7777).toString(8).padStart(4, '0');
      throw noKey(
        `${name} is not used: ${where}other users can change it (mode ${mode})`,
        `Run \`chmod go-w\` on ${entry}.`,
      );
    }
  }
}
