/* Injects the outside world into commands: only this file, clock.ts and bin/ use the process. */
import { fstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { addAbortSignal, type Readable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { codeOf, LocalError, outputError } from './carbon-error.ts';
import { type Clock, realClock, realRandom } from './clock.ts';
import type { CommandOptions, CommandOutcome } from './run-command.ts';
import type { Terminal } from './terminal.ts';
import type { Transport, TransportOptions } from './transport.ts';

/** What a stream supports: 0 no colors, 1 16 colors, 2 256 colors, 3 true color. */
export type ColorLevel = 0 | 1 | 2 | 3;

export interface Output {
  /** Writes text or bytes unchanged; the caller sanitizes untrusted text. */
  write(text: string | Uint8Array): void;
  /** Resolves when the reader catches up or the run stops; undefined if the reader keeps up. */
  readonly drained: Promise<void> | undefined;
  /** Resolves when all text has left the process, or nobody reads it; rejects on a full disk. */
  flush(): Promise<void>;
  readonly isTerminal: boolean;
  /** Whether the cursor can move, which spinners need. */
  readonly isAnimated: boolean;
  /** Width in columns; 80 if unknown. */
  readonly columns: number;
  readonly colorLevel: ColorLevel;
}

/** Provides standard input; `isTTY` if it is a terminal. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/** Names the reason to stop a run: a signal, or a reader that closed standard output. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly by: NodeJS.Signals | 'closed output';
  constructor(by: NodeJS.Signals | 'closed output') {
    super(`stopped by ${by}`);
    this.by = by;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Provides everything that a command uses of the outside world. */
export interface Context {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Environment;
  readonly clock: Clock;
  /** Returns a random number in [0, 1). */
  random(): number;
  /** Aborts with a `Stopped` when the run must stop early. */
  readonly signal: AbortSignal;
  /** Home directory of the user; undefined if there is none. */
  readonly home: string | undefined;
  readonly platform: NodeJS.Platform;
  readonly process: { readonly id: number; readonly userId: number | undefined };
  openTransport(options: TransportOptions): Promise<Transport>;
  /**
   * Limits the heap space of young objects once it has this size; call it regularly in a long run:
   * with 16 if a command keeps something of each record, with 32 if it has requests in flight,
   * whose objects would otherwise move to the old generation.
   */
  limitYoungGeneration(mebibytes: 16 | 32): void;
  /** Tunes the run for few records, until it is called with false. */
  expectFewRecords(isExpected: boolean): void;
  /** Runs a program without a shell and without standard input, in the root directory. */
  runCommand(
    words: readonly string[],
    options: Pick<CommandOptions, 'limitMs' | 'onErrorLine'>,
  ): Promise<CommandOutcome>;
  /**
   * Asks a question at the terminal of standard input and standard error.
   *
   * @returns undefined if the input ends before the answer
   * @throws Stopped on an interrupt
   */
  atTerminal<Answer>(ask: (terminal: Terminal) => Promise<Answer>): Promise<Answer | undefined>;
}

/**
 * Returns the color level of a stream: NO_COLOR overrides FORCE_COLOR (0 to 3), which overrides
 * TERM=dumb and the color depth of the terminal in bits.
 */
export function colorLevel(
  env: Environment,
  isTerminal: boolean,
  readDepth: () => number,
): ColorLevel {
  if (env['NO_COLOR']) return 0;
  const forced = env['FORCE_COLOR'];
  if (forced) return (/^[0-3]$/.test(forced) ? Number(forced) : 1) as ColorLevel;
  if (!isTerminal || env['TERM'] === 'dumb') return 0;
  const depth = readDepth();
  return depth >= 24 ? 3 : depth >= 8 ? 2 : depth >= 4 ? 1 : 0;
}

function realOutput(
  stream: NodeJS.WriteStream & Partial<WriteStream>,
  env: Environment,
  signal: AbortSignal,
  isShared = false,
): Output {
  const isTerminal = stream.isTTY === true;
  return {
    write: (text) => void stream.write(text),
    get drained() {
      if (!stream.writableNeedDrain || signal.aborted) return undefined;
      return new Promise<void>((resolve) => {
        const end = () => {
          stream.off('drain', end).off('close', end);
          signal.removeEventListener('abort', end);
          resolve();
        };
        stream.on('drain', end).on('close', end);
        signal.addEventListener('abort', end);
      });
    },
    flush: () =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
        stream.write('', (error) => {
          // The reader or the run has closed the stream.
          const isClosed = ['', 'EPIPE', 'ERR_STREAM_DESTROYED'].includes(codeOf(error));
          if (isClosed) resolve();
          else reject(error);
        });
      }),
    isTerminal,
    // The log of a CI keeps every repaint.
    isAnimated: isTerminal && !isShared && env['TERM'] !== 'dumb' && !env['CI'],
    get columns() {
      return stream.columns || 80;
    },
    colorLevel: colorLevel(env, isTerminal, () => readDepth(stream, env)),
  };
}

/* Node takes an empty NO_COLOR for one that is set (no-color.org: not empty). */
function readDepth(stream: Partial<WriteStream>, env: Environment): number {
  const { NO_COLOR: _, ...others } = env;
  return stream.getColorDepth?.(others) ?? 1;
}

/* Checks for a program, such as `less`, that reads standard output and may share the terminal. */
function isPiped({ isTTY, fd }: NodeJS.WriteStream & { fd: number }): boolean {
  if (isTTY) return false;
  try {
    const stat = fstatSync(fd);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/** Creates the context of this process; `release` closes standard input at the end. */
export function realContext(
  process: NodeJS.Process,
  signal: AbortSignal,
): Context & { release(): void } {
  const { env } = process;
  let isReading = false;
  return {
    get stdin() {
      if (!isReading) {
        // Before addAbortSignal: a destroyed stream would leave the terminal without echo.
        signal.addEventListener(
          'abort',
          () => process.stdin.isRaw && process.stdin.setRawMode(false),
        );
        addAbortSignal(signal, process.stdin);
      }
      isReading = true;
      return process.stdin;
    },
    release() {
      if (isReading) process.stdin.destroy();
    },
    stdout: realOutput(process.stdout, env, signal),
    stderr: realOutput(process.stderr, env, signal, isPiped(process.stdout)),
    env,
    clock: realClock,
    random: realRandom,
    signal,
    home: env['HOME'] || safeHome(),
    platform: process.platform,
    process: { id: process.pid, userId: process.getuid?.() },
    async openTransport(options) {
      const { openTransport } = await import('./transport.ts');
      const transport = await openTransport(options);
      // Node 20 recompiles undici's parser in the background and waits for it, which triples the
      // processor time of `get`. The flag slows down later versions and long runs.
      const isShort = options.connections <= maxShortConnections;
      if (isShort && process.versions.node.startsWith('20.')) {
        const { setFlagsFromString } = await import('node:v8');
        setFlagsFromString('--wasm-tiering-budget=1000000000');
      }
      return transport;
    },
    limitYoungGeneration,
    expectFewRecords,
    async runCommand(words, options) {
      const { runCommand } = await import('./run-command.ts');
      // A directory that somebody else fills must not decide what a program does.
      const directory = (process.platform === 'win32' && env['SystemRoot']) || '/';
      return runCommand(words, { ...options, env, directory, signal });
    },
    async atTerminal(ask) {
      const { atTerminal } = await import('./terminal.ts');
      return atTerminal({ host: process, stdin: this.stdin, signal }, ask);
    },
  };
}

/* Commands with so few connections make only a handful of requests. */
const maxShortConnections = 8;

function safeHome(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

/** Waits until the reader has all of standard output; a failed write is a LocalError. */
export async function flush({ stdout, signal }: Context): Promise<void> {
  await stdout.flush().catch((cause: unknown) => {
    throw outputError(cause);
  });
  if (signal.reason instanceof LocalError) throw signal.reason;
}

/** Returns whether a process exists. A signal to that of another user fails with EPERM. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

let isYoungGenerationLimited = false;

/*
 * V8 doubles the space of young objects while they survive. Above 16 MiB, `diff` of 40,000 records
 * takes a quarter more time and two fifths more memory. The growth factor is the only related flag
 * that V8 respects after its start.
 */
function limitYoungGeneration(mebibytes: number): void {
  if (isYoungGenerationLimited) return;
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  isYoungGenerationLimited = (young?.space_size ?? 0) >= mebibytes * 2 ** 20;
  if (isYoungGenerationLimited) setFlagsFromString('--semi-space-growth-factor=1');
}

/*
 * Node 20 optimizes what reads 60 records only to end a moment later, and shares the garbage
 * collection of few objects among threads: a tenth of `report -o`. Later versions take as long
 * either way.
 */
function expectFewRecords(isExpected: boolean): void {
  if (!process.versions.node.startsWith('20.')) return;
  const budget = 66 * 1024;
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString(`--interrupt-budget=${isExpected ? 8 * budget : budget}`);
  setFlagsFromString(isExpected ? '--no-parallel-scavenge' : '--parallel-scavenge');
}
