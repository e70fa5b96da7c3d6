/*
 * Runs a program whose standard output is a secret. `context.ts` loads this file only for a run
 * that needs one.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Clock } from './clock.ts';

/** Maximum length of the first line of standard output, in characters. */
export const maxFirstLineLength = 65_536;

/* A program that stays in the background, such as an agent, may keep the pipes open. */
const maxPipeMs = 500;

export type CommandOutcome =
  | { readonly kind: 'not_started'; readonly error: unknown }
  | ((
      | { readonly kind: 'exited'; readonly code: number }
      | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
      | { readonly kind: 'timed_out' }
    ) & {
      /** First line of standard output, perhaps cut after `maxFirstLineLength` characters. */
      readonly firstLine: string;
    });

export interface CommandOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly clock: Clock;
  /** Ends the command; the promise rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Maximum duration in milliseconds. */
  readonly limitMs: number;
  /** Receives each line of standard error that is not blank. */
  readonly onErrorLine: (line: string) => void;
}

/**
 * Runs a program without a shell and without standard input, and returns how it ended. At the time
 * limit, it ends the program itself, not the programs that this one started.
 */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  options: CommandOptions,
): Promise<CommandOutcome> {
  const { env, directory: cwd, signal } = options;
  signal.throwIfAborted();
  try {
    const child = spawn(program, args, {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    return await follow(child, options);
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'not_started', error };
  }
}

/* Follows a process to its end. Rejects if it could not be started or the run was stopped. */
function follow(
  child: ChildProcessByStdio<null, Readable, Readable>,
  { clock, signal, limitMs, onErrorLine }: CommandOptions,
): Promise<CommandOutcome> {
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    if (output.length <= maxFirstLineLength) output += chunk;
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.trim() !== '') onErrorLine(line);
  });
  const cancels: (() => void)[] = [];
  return new Promise<CommandOutcome>((resolve, reject) => {
    const end = (isTimedOut = false) => {
      const { exitCode, signalCode } = child;
      const [firstLine = ''] = output.split(/[\r\n]/, 1);
      if (isTimedOut) resolve({ kind: 'timed_out', firstLine });
      else if (signalCode !== null) resolve({ kind: 'killed', signal: signalCode, firstLine });
      else resolve({ kind: 'exited', code: exitCode ?? 1, firstLine });
    };
    const abort = () => {
      child.kill();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    const waitForPipes = () => void cancels.push(clock.after(maxPipeMs, end));
    const stop = () => {
      child.kill();
      end(true);
    };
    cancels.push(
      clock.after(limitMs, stop),
      () => signal.removeEventListener('abort', abort),
      // A timer that starts after the run would keep carbon from ending.
      () => child.off('exit', waitForPipes),
    );
    child.on('error', reject);
    child.on('exit', waitForPipes);
    child.on('close', () => end());
  }).finally(() => {
    for (const cancel of cancels) cancel();
    child.stdout.destroy();
    child.stderr.destroy();
    child.unref();
  });
}
