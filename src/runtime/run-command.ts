import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/* The part of standard output that is kept, in characters; a longer line is no API key. */
const maxOutputLength = 65_536;

/* A program that stays in the background, such as an agent, may keep the pipes open. */
const maxPipeMs = 500;

export interface CommandOutcome {
  /** The exit code, the signal that ended the program, or the error if it was not started. */
  readonly end: number | NodeJS.Signals | 'time limit' | Error;
  /** First line of standard output. */
  readonly firstLine: string;
}

export interface CommandOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** Ends the program; the promise rejects with the signal's reason. */
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
  { env, directory, signal, limitMs, onErrorLine }: CommandOptions,
): Promise<CommandOutcome> {
  // Loading this module takes as long as a light command.
  const { spawn } = await import('node:child_process');
  signal.throwIfAborted();
  const limit = AbortSignal.timeout(limitMs);
  let output = '';
  const outcome = (end: CommandOutcome['end']) => {
    const [firstLine = ''] = output.split(/[\r\n]/, 1);
    return { end, firstLine };
  };
  try {
    const child = spawn(program, args, {
      cwd: directory,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      signal: AbortSignal.any([signal, limit]),
    });
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (output.length <= maxOutputLength) output += chunk;
    });
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.trim() !== '') onErrorLine(line);
    });
    const closed = new Promise((resolve) => child.on('close', resolve));
    try {
      const [code, killedBy] = await once(child, 'exit');
      await Promise.race([closed, sleep(maxPipeMs)]);
      return outcome(killedBy ?? code);
    } finally {
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
    }
  } catch (error) {
    signal.throwIfAborted();
    return outcome(limit.aborted ? 'time limit' : (error as Error));
  }
}
