/*
 * Runs a program whose standard output is a secret. `context.ts` loads this file only for a run
 * that needs one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from './clock.ts';

/** Maximum length of the first line of standard output, in characters. */
export const maxFirstLineLength = 65_536;

/* Limits what a run passes on of a standard error that never ends. */
const maxErrorLength = 65_536;
const maxErrorLineLength = 4_000;

/* Time in which a program can restore the terminal after SIGTERM, before SIGKILL. */
const maxEndMs = 2_000;

/* A program that stays in the background, such as an agent, may keep the pipes open. */
const maxPipeMs = 500;

/** Describes how a command ended. */
export type CommandOutcome =
  | { readonly kind: 'not_started'; readonly error: unknown }
  | ((
      | { readonly kind: 'exited'; readonly code: number }
      | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
      | { readonly kind: 'timed_out' }
    ) & {
      /** First line of standard output, cut after `maxFirstLineLength` + 1 characters. */
      readonly firstLine: string;
    });

/** Configures the run of a command. */
export interface CommandOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working directory. */
  readonly directory: string;
  readonly clock: Clock;
  /** Ends the command; the promise rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Maximum duration in milliseconds. */
  readonly limitMs: number;
  /** Receives each line of standard error that is not blank, at most 64 KiB in total. */
  readonly onErrorLine: (line: string) => void;
}

/**
 * Runs a program without a shell and without standard input, and returns how it ended.
 *
 * Ends only the program itself at the time limit, not the programs that it started.
 * @param words program and arguments
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
  child: ChildProcess,
  { clock, signal, limitMs, onErrorLine }: CommandOptions,
): Promise<CommandOutcome> {
  const output = collectFirstLine(child);
  const errors = passLines(child, onErrorLine);
  const cancels: (() => void)[] = [];
  const afterMs = (ms: number, call: () => void) => cancels.push(clock.after(ms, call));
  let isTimedOut = false;
  return new Promise<CommandOutcome>((resolve, reject) => {
    const end = () => {
      errors.end();
      const { exitCode: code, signalCode: ending } = child;
      const { firstLine } = output;
      if (isTimedOut) resolve({ kind: 'timed_out', firstLine });
      else if (ending !== null) resolve({ kind: 'killed', signal: ending, firstLine });
      else resolve({ kind: 'exited', code: code ?? 1, firstLine });
    };
    const abort = () => {
      child.kill();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    cancels.push(() => signal.removeEventListener('abort', abort));
    const waitForPipes = () => afterMs(maxPipeMs, end);
    child.on('error', reject);
    child.on('exit', waitForPipes);
    // A timer that starts after the run would keep carbon from ending.
    cancels.push(() => child.off('exit', waitForPipes));
    child.on('close', end);
    afterMs(limitMs, () => {
      isTimedOut = true;
      child.kill();
      afterMs(maxEndMs, () => {
        child.kill('SIGKILL');
        end();
      });
    });
  }).finally(() => {
    for (const cancel of cancels) cancel();
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.unref();
  });
}

function collectFirstLine({ stdout }: ChildProcess): { readonly firstLine: string } {
  let text = '';
  stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length <= maxFirstLineLength && !/[\r\n]/.test(text)) text += chunk;
  });
  return {
    get firstLine() {
      return (text.split(/\r\n|\r|\n/, 1)[0] ?? '').slice(0, maxFirstLineLength + 1);
    },
  };
}

function passLines(
  { stderr }: ChildProcess,
  onLine: (line: string) => void,
): { readonly end: () => void } {
  let rest = '';
  let left = maxErrorLength;
  const pass = (line: string) => {
    if (line.trim() === '' || left <= 0) return;
    left -= line.length;
    onLine(line.slice(0, maxErrorLineLength));
    if (left <= 0) onLine('(the rest of the standard error is not shown)');
  };
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split(/\r\n|\r|\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) pass(line);
    if (rest.length <= maxErrorLineLength) return;
    pass(rest);
    rest = '';
  });
  return {
    end() {
      pass(rest);
      rest = '';
    },
  };
}
