import { isUtf8 } from 'node:buffer';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Context, Input, Output } from '../../src/runtime/context.ts';
import { VirtualClock } from './clock.ts';
import { loadProgram, processWith, stopped } from './program.ts';
import { openHeld } from './transport.ts';

/** What a test can set for a run. */
export interface World {
  readonly env?: Record<string, string>;
  readonly stdin?: string | Readable;
  /** Columns of the terminal on both output streams (default: both are pipes). */
  readonly terminal?: number;
  /** Whether standard output is a file although standard error is a terminal. */
  readonly isRedirected?: boolean;
  readonly clock?: VirtualClock;
  readonly signal?: AbortSignal;
  /** Directory for configuration and sandbox state (default: a new one). */
  readonly home?: string;
  readonly random?: () => number;
  /** Maximum duration of a key command in milliseconds of the real clock. */
  readonly commandLimitMs?: number;
  /** Whether the terminal can move its cursor, which spinners need. */
  readonly isAnimated?: boolean;
  /** Keys for each question, in order; they make standard input a terminal. */
  readonly typed?: readonly string[];
  /** Resolves when the reader of standard output starts to read. */
  readonly reader?: Promise<void>;
  /** Receives each piece of output at once. */
  readonly onOutput?: (text: string) => void;
}

/** Exit code and output of a run. */
export interface Outcome {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Creates an empty directory that exists until the test ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carbon-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Runs a command line with the built program, in this process, with a virtual clock and without the
 * real environment. With --json, each line of standard error must be a message, the summary or an
 * error.
 */
export async function run(argv: readonly string[], world: World = {}): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const clock = world.clock ?? new VirtualClock();
  const home = world.home ?? newFolder();
  const env = { HOME: home, ...world.env };
  const isTerminal = world.terminal !== undefined;
  const stop = new AbortController();
  const signal = world.signal ?? stop.signal;
  const { main, realContext } = loadProgram();
  const stdin = typeof world.stdin === 'object' ? world.stdin : Readable.from([world.stdin ?? '']);
  const isTyped = world.typed !== undefined && world.stdin === undefined;
  const keyboard = Object.assign(isTyped ? keyboardOf(world.typed ?? []) : stdin, {
    isTTY: world.typed !== undefined,
  });
  const terminal = Object.assign(new EventEmitter(), {
    columns: world.terminal ?? 80,
    rows: 40,
    write: (text: string) => output('stderr').write(text),
  });
  const real = realContext(
    processWith({ PATH: process.env['PATH'], ...env }, isTerminal, {
      stdin: keyboard,
      stderr: terminal,
      kill: (_: number, name: NodeJS.Signals) => stop.abort(stopped(name)),
    }),
    signal,
  );
  const output = (name: 'stdout' | 'stderr'): Output => ({
    write(output) {
      const text = typeof output === 'string' ? output : textOf(output);
      written[name] += text;
      world.onOutput?.(text);
    },
    drained: name === 'stdout' ? world.reader : undefined,
    flush: async () => undefined,
    isTerminal: isTerminal && !(name === 'stdout' && world.isRedirected),
    isAnimated: world.isAnimated === true,
    columns: world.terminal ?? 80,
    colorLevel: real.stdout.colorLevel,
  });
  const context: Context = {
    stdin: keyboard,
    stdout: output('stdout'),
    stderr: output('stderr'),
    env,
    clock,
    random: world.random ?? (() => 0.5),
    signal,
    home,
    platform: 'linux',
    process: { id: process.pid, userId: process.getuid?.() },
    atTerminal: (ask) => real.atTerminal(ask),
    openTransport: openHeld(clock, real.openTransport),
    limitYoungGeneration: () => undefined,
    expectFewRecords: () => undefined,
    runCommand: (words, options) =>
      real.runCommand(words, { ...options, limitMs: world.commandLimitMs ?? options.limitMs }),
  };
  const exit = await main(argv, context);
  if (argv.includes('--json') && world.terminal === undefined)
    for (const line of written.stderr.split('\n').filter((text) => text.startsWith('{"')))
      if (!['level,text', 'summary', 'error'].includes(Object.keys(JSON.parse(line)).join()))
        throw new Error(`neither a message nor a summary nor an error: ${line}`);
  return { exit, ...written };
}

/* Types the keys of each question when it takes the keys of the terminal. */
function keyboardOf(typed: readonly string[]): Input {
  const rest = [...typed];
  const keyboard = new PassThrough();
  const setRawMode = (isRaw: boolean) => {
    const keys = isRaw ? rest.shift() : undefined;
    if (keys !== undefined) setImmediate(() => keyboard.write(keys));
  };
  return Object.assign(keyboard, { setRawMode });
}

/** The keys that questions read. */
export const keys = { up: '\u001b[A', down: '\u001b[B', enter: '\r', escape: '\u001b' } as const;

/** Runs a command line and returns its output and exit code as one text, for snapshots. */
export async function transcript(argv: readonly string[], world: World = {}): Promise<string> {
  const { exit, stdout, stderr } = await run(argv, world);
  const out = stdout === '' ? '' : `${stdout.replace(/\n?$/, '\n')}`;
  const err = stderr === '' ? '' : `--- stderr\n${stderr.replace(/\n?$/, '\n')}`;
  return `${out}${err}--- exit ${exit}`;
}

/* Bytes that are not text appear as Latin-1 characters. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** Parses output that has one JSON document per line. */
// biome-ignore lint/suspicious/noExplicitAny: a test checks the members that it reads
export function jsonLines(text: string): any[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
