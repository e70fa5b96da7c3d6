/*
 * The world as a command sees it. Only this file, the clock beside it and bin/ touch the process;
 * everything else gets a Context, so that a test can be the world.
 */
import { homedir } from 'node:os';
import { addAbortSignal, type Readable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { type Clock, realClock, realRandom } from './clock.ts';
import type { Transport, TransportOptions } from './transport.ts';

/** How many colours a stream shows: 0 none, 1 sixteen, 2 256, 3 all. */
export type ColorLevel = 0 | 1 | 2 | 3;

/** One output stream. */
export interface Output {
  /** Writes text as it is. Text from outside must have been made safe before. */
  write(text: string): void;
  /** Resolves when the reader has caught up, or the run is to end; undefined while it keeps up. */
  readonly drained: Promise<void> | undefined;
  /**
   * Resolves when everything has left the process, the reader wants no more, or the run is to end;
   * rejects as the system does, on a full disk say.
   */
  flush(): Promise<void>;
  readonly isTerminal: boolean;
  /** Whether the cursor can be moved, for spinners and progress. */
  readonly isAnimated: boolean;
  /** Width in columns, 80 where it is not known. */
  readonly columns: number;
  readonly colorLevel: ColorLevel;
}

/** Standard input: a stream, and whether a person types into it. */
export type Input = Readable & { readonly isTTY?: boolean };

/** Why a run was asked to stop: a signal, or its standard output was closed by the reader. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly by: NodeJS.Signals | 'closed output';
  constructor(by: NodeJS.Signals | 'closed output') {
    super(`stopped by ${by}`);
    this.by = by;
  }
}

/** The environment variables of a run. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Everything from outside that a command may use. */
export interface Context {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Environment;
  readonly clock: Clock;
  /** From 0 inclusive to 1 exclusive. */
  random(): number;
  /** Aborted with a `Stopped` when the run shall end early. */
  readonly signal: AbortSignal;
  /** Home directory of the user, undefined where there is none. */
  readonly home: string | undefined;
  readonly platform: NodeJS.Platform;
  readonly process: { readonly id: number; readonly userId: number | undefined };
  openTransport(options: TransportOptions): Promise<Transport>;
  /**
   * What keeps the memory of a long run from growing with the number of answers, to be called now
   * and then.
   */
  limitYoungGeneration(): Promise<() => void>;
  /**
   * Asks a person at the terminal for one line; what is typed stays hidden when it is secret.
   * @returns undefined when the input ended without one
   * @throws Stopped when it is interrupted
   */
  ask(question: string, secret: boolean): Promise<string | undefined>;
}

/**
 * The colours that a stream shows: NO_COLOR and TERM=dumb switch them off, FORCE_COLOR (0 to 3)
 * decides otherwise.
 * @param readDepth colour depth of a terminal in bits; asked only when nothing else decides
 */
export function colorLevel(
  env: Environment,
  isTerminal: boolean,
  readDepth: () => number,
): ColorLevel {
  if (env['NO_COLOR']) return 0;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') {
    if (forced === 'false') return 0;
    const level = forced === 'true' ? 1 : Math.min(3, Math.max(0, Number.parseInt(forced, 10)));
    return (Number.isNaN(level) ? 1 : level) as ColorLevel;
  }
  if (!isTerminal || env['TERM'] === 'dumb') return 0;
  const depth = readDepth();
  return depth >= 24 ? 3 : depth >= 8 ? 2 : depth >= 4 ? 1 : 0;
}

/* What was said of a write that came too late, or that nobody reads. */
function isClosed(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}

function realOutput(
  stream: NodeJS.WriteStream & Partial<WriteStream>,
  env: Environment,
  signal: AbortSignal,
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
          if (error && !isClosed(error)) reject(error);
          else resolve();
        });
      }),
    isTerminal,
    isAnimated: isTerminal && env['TERM'] !== 'dumb',
    get columns() {
      return stream.columns || 80;
    },
    colorLevel: colorLevel(env, isTerminal, () => stream.getColorDepth?.(env) ?? 1),
  };
}

/**
 * The context of this process, and how to let go of it at the end. `signal` is the caller's to
 * abort.
 */
export function realContext(
  process: NodeJS.Process,
  signal: AbortSignal,
): Context & { release(): void } {
  const { env } = process;
  let isReading = false;
  return {
    get stdin() {
      if (!isReading) {
        // First of all: once the stream is destroyed, its terminal would stay without echo.
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
    stderr: realOutput(process.stderr, env, signal),
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
      const isShort = options.connections <= maxShortConnections;
      if (isShort && process.versions.node.startsWith('20.')) await disableWasmTierUp();
      return transport;
    },
    limitYoungGeneration,
    async ask(question, secret) {
      const { prompt } = await import('./prompt.ts');
      // As the terminal does it: to every process in the foreground, so that a shell's loop stops
      // too.
      const foreground = process.platform === 'win32' ? process.pid : 0;
      const onInterrupt = () => process.kill(foreground, 'SIGINT');
      return prompt(question, {
        input: process.stdin,
        output: process.stderr,
        secret,
        signal,
        onInterrupt,
      });
    },
  };
}

/* Commands with so few connections make a handful of requests. */
const maxShortConnections = 8;

/*
 * Node 20 waits some 70 ms at its end for V8 to compile undici's WebAssembly parser once more, in
 * the background. A command of a few requests is over before that could pay; on later versions and
 * in long runs the flag does harm.
 */
async function disableWasmTierUp(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--wasm-tiering-budget=1000000000');
}

const youngGenerationBytes = 16 * 2 ** 20;

/*
 * V8 doubles the space of its young objects while requests come and go, up to 128 MiB (Node 24),
 * although an answer is garbage as soon as it was read. The factor of its growth is the only flag
 * about it that V8 obeys after its start.
 */
async function limitYoungGeneration(): Promise<() => void> {
  const { getHeapSpaceStatistics, setFlagsFromString } = await import('node:v8');
  let isBound = false;
  return () => {
    if (isBound) return;
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    isBound = (young?.space_size ?? 0) >= youngGenerationBytes;
    if (isBound) setFlagsFromString('--semi-space-growth-factor=1');
  };
}

function safeHome(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}
