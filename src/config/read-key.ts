/*
 * Reads the API key from the file or the command that provides it. Only a run that sends a request
 * loads this file. Errors name the command and how it ended, and never quote its output.
 */

import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { checkKey } from '../client/api/credentials.ts';
import {
  codeOf,
  explainSystemError,
  HintedError,
  LocalError,
  UsageError,
} from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { command, hint } from '../runtime/hint.ts';
import { findExposed } from './profiles.ts';
import type { KeySource, Sourced } from './settings.ts';

const maxCommandMs = 30_000;

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
  const { kind, value, from } = source;
  if (kind === 'key') return value;
  const line =
    kind === 'file' ? readKeyFile(context, source) : await runKeyCommand(context, source, messages);
  try {
    const key = checkKey(line, from);
    messages.hide(key);
    return key;
  } catch {
    const name = kind === 'file' ? 'The key file' : 'The first line of the key command';
    throw noKey(
      `${name} ${value.trim()} (${from}) contains invalid characters`,
      'An API key contains only visible ASCII characters and no spaces.',
    );
  }
}

async function runKeyCommand(
  context: Context,
  { value, from, isStored }: KeySource,
  { hide, reportErrorLine }: KeyMessages,
): Promise<string> {
  const changeable = isStored ? findExposed(context, 0o022) : undefined;
  if (changeable !== undefined)
    throw new LocalError(
      `carbon does not run the key command of ${from}: other users can change ${changeable}`,
      {
        hint: hint`Check the command with ${command`whoami`}, then run \`chmod go-w\` on that path.`,
      },
    );
  const words = readKeyCommand({ value, from });
  // A key in these lines is hidden once it is known. On a terminal, the command may prompt.
  const held: string[] = [];
  const onErrorLine = (line: string) =>
    context.stderr.isTerminal ? reportErrorLine(line) : held.push(line);
  const { end, firstLine } = await context.runCommand(words, {
    limitMs: maxCommandMs,
    onErrorLine,
  });
  const key = firstLine.trim();
  // Ordinary words of a failed command are no key; hiding them would make messages unreadable.
  if (/^\S+$/.test(key)) hide(key);
  for (const line of held) reportErrorLine(line);
  const name = `key command \`${value.trim()}\` (${from})`;
  if (codeOf(end) === 'ENOENT')
    throw noKey(
      `The program of the ${name} was not found`,
      'Write its full path, such as /usr/bin/pass, or add its directory to PATH.',
    );
  const problem = problemOf(end) ?? (key === '' ? 'printed no key in its first line' : undefined);
  if (problem === undefined) return key;
  throw noKey(
    `The ${name} ${problem}`,
    'Run it in a terminal: its first line must be the API key. On Windows, a .bat or .cmd file needs cmd /c.',
  );
}

function problemOf(end: number | NodeJS.Signals | 'time limit' | Error): string | undefined {
  if (end instanceof Error) return `cannot be started: ${explainSystemError(end)}`;
  if (end === 'time limit') return `did not end within ${maxCommandMs / 1_000} s`;
  if (typeof end === 'string') return `was terminated by ${end}`;
  return end === 0 ? undefined : `failed with exit code ${end}`;
}

/**
 * Returns the words of a key command: the program and its arguments, which spaces separate and
 * quotes hold together. No shell interprets them. The program is a name or an absolute path, so the
 * current directory never decides what runs.
 * @throws UsageError for what only a shell could run, and for a relative path
 */
export function readKeyCommand({ value, from }: Sourced<string>): string[] {
  const refuse = (problem: string, hint: string) => new UsageError(`${from}: ${problem}`, hint);
  // In double quotes, a shell would interpret only $ and `.
  const outside = value
    .trim()
    .replace(/'[^']*'|"([^"]*)"/g, (_, quoted = '') => quoted.replace(/[^$`]/g, ''));
  const [active] = /[|&;<>$`\r\n\0]/.exec(outside) ?? [];
  if (active !== undefined)
    throw refuse(
      `the command contains ${/\s|\0/.test(active) ? 'a line break' : `"${active}"`}, but carbon starts no shell`,
      "Put the text in single quotes, or run a shell: sh -c '...'.",
    );
  if (/['"]/.test(outside)) throw refuse('a quote is not closed', 'Close the quote.');
  const words = (value.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []).map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );
  const [program = ''] = words;
  const programHint = 'Write an absolute path, or the name of a program in PATH.';
  if (program === '') throw refuse('the command is empty', programHint);
  if (/[\\/]/.test(program) && !isAbsolute(program))
    throw refuse(`the command names its program by the relative path ${program}`, programHint);
  return words;
}

/**
 * Returns the lines that are not blank; an API key is the only one. Reads UTF-8 and, after a byte
 * order mark, UTF-16, which PowerShell 5 writes.
 */
export function keyLines(bytes: Uint8Array): string[] {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
  return text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
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
  const fail = (problem: string, hint = 'The file must contain only the API key.') =>
    noKey(`The key file ${path} (${from}) ${problem}`, hint);
  let bytes: Buffer;
  try {
    // A pipe can be read only once, and nothing shows who writes to it.
    if (!statSync(path).isFile()) throw fail('is not a file');
    const { userId } = context.process;
    const unsafe = userId === undefined ? undefined : findUnsafe(userId, path);
    if (unsafe !== undefined)
      throw fail(
        `is not used: ${unsafe}`,
        'Only you or root may own or change the file and the directories above it: chmod go-w.',
      );
    bytes = readFileSync(path);
  } catch (cause) {
    if (cause instanceof HintedError) throw cause;
    throw fail(
      `cannot be read: ${explainSystemError(cause)}`,
      `Check the permissions of the file, and that ${from} is an absolute path; carbon does not expand ~.`,
    );
  }
  const [line, ...others] = keyLines(bytes);
  if (line === undefined) throw fail('is empty');
  if (others.length > 0) throw fail(`has ${others.length + 1} lines, but an API key is one line`);
  return line;
}

function noKey(message: string, hint: string): HintedError {
  return new HintedError('no_key', message, { hint });
}

/*
 * Returns why another user than this one and root can change the file, or a directory or link on
 * the way to it; undefined if nobody can. In a directory with the sticky bit, such as /tmp or the
 * volume of a Kubernetes secret, only owners can replace their entries.
 */
function findUnsafe(userId: number, path: string): string | undefined {
  for (const start of [resolve(path), realpathSync.native(path)])
    for (let entry = start, last = ''; entry !== last; last = entry, entry = dirname(entry)) {
      // A path with .. after a link exists only as the real path.
      const stat = lstatSync(entry, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      if (stat.uid !== userId && stat.uid !== 0)
        return `${entry} belongs to another user (uid ${stat.uid})`;
      const isSticky = stat.isDirectory() && (stat.mode & 0o1000) !== 0;
      // The mode of a symbolic link has no meaning.
      if (stat.isSymbolicLink() || isSticky || (stat.mode & 0o022) === 0) continue;
      const mode = (stat.mode & 0o7777).toString(8).padStart(4, '0');
      return `other users can change ${entry} (mode ${mode})`;
    }
  return undefined;
}
