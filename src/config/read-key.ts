/*
 * Reads the API key from the file or the command that provides it. Only a run that sends a request
 * loads this file.
 */
import { checkKey } from '../api/credentials.ts';
import { HintedError, LocalError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { runKeyCommand } from './key-command.ts';
import { readKeyFile } from './key-file.ts';
import { findChangeable } from './profiles.ts';
import type { KeySource } from './settings.ts';

/** Receives what a run of a key command reports. */
export interface KeyMessages {
  /** Hides the key in all later messages. */
  hide(key: string): void;
  /** Prints a line of the command's standard error. */
  reportErrorLine(line: string): void;
}

/**
 * Returns the key that a source provides, and hides it in all later messages.
 *
 * A log never shows a key that the command also writes to standard error: without a terminal, those
 * lines appear only after the command has ended. On a terminal they appear immediately, because the
 * command may prompt for something.
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
      : await readFromCommand(context, source, messages);
  try {
    const key = checkKey(line, source.from);
    messages.hide(key);
    return key;
  } catch {
    const name = source.kind === 'file' ? 'The key file' : 'The first line of the key command';
    throw new HintedError(
      'no_key',
      `${name} ${source.value.trim()} (${source.from}) contains invalid characters`,
      { hint: 'An API key contains only visible ASCII characters and no spaces.' },
    );
  }
}

async function readFromCommand(
  context: Context,
  source: KeySource,
  messages: KeyMessages,
): Promise<string> {
  if (source.isStored) refuseChangeable(context, source.from);
  const held: string[] = [];
  const report = (line: string) => messages.reportErrorLine(line);
  try {
    return await runKeyCommand(context, source, {
      hide: (text) => messages.hide(text.trim()),
      onErrorLine: context.stderr.isTerminal ? report : (line) => held.push(line),
    });
  } finally {
    held.forEach(report);
  }
}

/* Whoever can change the command decides what carbon runs as this user. */
function refuseChangeable(context: Context, from: string): void {
  const path = findChangeable(context);
  if (path === undefined) return;
  throw new LocalError(
    `carbon does not run the key command of ${from}: other users can change ${path}`,
    {
      hint: `Check the command with \`carbon whoami\`, then run \`chmod go-w\` on ${path}.`,
    },
  );
}
