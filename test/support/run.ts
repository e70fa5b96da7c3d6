import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { main } from '../../src/main.ts';
import { type Context, colorLevel, type Output } from '../../src/runtime/context.ts';
import { VirtualClock } from './clock.ts';
import { openHeld } from './transport.ts';

/** What a test may decide about the world of a run. */
export interface World {
  readonly env?: Record<string, string>;
  readonly stdin?: string | Readable;
  /** Width of a terminal on both streams; without it they are pipes. */
  readonly terminal?: number;
  /** Whether standard output goes to a file, although standard error is a terminal. */
  readonly isRedirected?: boolean;
  readonly clock?: VirtualClock;
  readonly signal?: AbortSignal;
  /** Folder of configuration and sandbox state; a new one by default. */
  readonly home?: string;
  readonly random?: () => number;
  /** Whether the terminal can move its cursor, for spinners. */
  readonly isAnimated?: boolean;
  /** What a person types at each question; with it, standard input is a terminal. */
  readonly typed?: readonly string[];
  /** Resolves when the reader of standard output has caught up; it reads nothing until then. */
  readonly reader?: Promise<void>;
  /** Called with everything that is written, as it is written. */
  readonly onOutput?: (text: string) => void;
}

/** What a run left behind. */
export interface Outcome {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A new empty folder that is removed at the end of the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carbon-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Runs one command line in this process, with a virtual clock and without anything of the real
 * environment.
 */
export async function run(argv: readonly string[], world: World = {}): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const clock = world.clock ?? new VirtualClock();
  const home = world.home ?? newFolder();
  const env = { HOME: home, ...world.env };
  const output = (name: 'stdout' | 'stderr'): Output => ({
    write(text) {
      written[name] += text;
      world.onOutput?.(text);
    },
    drained: name === 'stdout' ? world.reader : undefined,
    flush: async () => undefined,
    isTerminal: world.terminal !== undefined && !(name === 'stdout' && world.isRedirected),
    isAnimated: world.isAnimated === true,
    columns: world.terminal ?? 80,
    colorLevel: colorLevel(env, world.terminal !== undefined, () => 1),
  });
  const stdin = typeof world.stdin === 'object' ? world.stdin : Readable.from([world.stdin ?? '']);
  const answers = [...(world.typed ?? [])];
  const context: Context = {
    stdin: Object.assign(stdin, { isTTY: world.typed !== undefined }),
    stdout: output('stdout'),
    stderr: output('stderr'),
    env,
    clock,
    random: world.random ?? (() => 0.5),
    signal: world.signal ?? new AbortController().signal,
    home,
    platform: 'linux',
    process: { id: process.pid, userId: process.getuid?.() },
    ask: async (question) => {
      written.stderr += `${question}\n`;
      return answers.shift();
    },
    openTransport: openHeld(clock),
    limitYoungGeneration: async () => () => undefined,
  };
  return { exit: await main(argv, context), ...written };
}

/** One string of everything that a run printed and its exit code, for snapshots. */
export async function transcript(argv: readonly string[], world: World = {}): Promise<string> {
  const { exit, stdout, stderr } = await run(argv, world);
  const out = stdout === '' ? '' : `${stdout.replace(/\n?$/, '\n')}`;
  const err = stderr === '' ? '' : `--- stderr\n${stderr.replace(/\n?$/, '\n')}`;
  return `${out}${err}--- exit ${exit}`;
}
