import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realClock } from '../src/runtime/clock.ts';
import { recordWriter } from '../src/sandbox/records.ts';
import type { Counts, LoadOptions } from './load-server.ts';

/**
 * The Node that everything is measured with: CARBON_TEST_NODE, else the one that runs the bench.
 */
export const node = process.env['CARBON_TEST_NODE'] || process.execPath;

/** Its version, such as `v22.20.0`. */
export const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

const root = join(import.meta.dirname, '..');

/** Path of the executable. */
export const carbon = join(root, 'bin/carbon.cjs');

/** A program of the bench, as it was bundled. */
export function program(name: string): string {
  return join(import.meta.dirname, name);
}

/** A file of the bench that is not bundled. */
export function original(name: string): string {
  return join(root, 'bench', name);
}

/** A folder of this run, removed at its end. */
export const folder = mkdtempSync(join(tmpdir(), 'carbon-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/**
 * The environment of everything that is measured: bare, because NODE_EXTRA_CA_CERTS alone costs
 * half a start of Node 20.
 */
export const bareEnvironment = { PATH: process.env['PATH'] ?? '', HOME: folder };

/** The median; of an even number the upper one. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

/** Whether a program can be started. */
export function isInstalled(command: string, ...argv: string[]): boolean {
  return spawnSync(command, argv, { env: bareEnvironment, stdio: 'ignore' }).status === 0;
}

/** A program with its words. */
export type CommandLine = readonly [command: string, ...argv: string[]];

/** Starts commands in turns, so that all meet the same weather; milliseconds of each, by name. */
export function timeInTurns(
  commands: ReadonlyMap<string, CommandLine>,
  turns: number,
  env: Readonly<Record<string, string>> = {},
): Map<string, number> {
  const times = new Map([...commands.keys()].map((name) => [name, [] as number[]]));
  for (let turn = -1; turn < turns; turn += 1) {
    for (const [name, [command, ...argv]] of commands) {
      const began = performance.now();
      const { status } = spawnSync(command, argv, { env: { ...bareEnvironment, ...env } });
      const ms = performance.now() - began;
      if (status !== 0) throw new Error(`${name} ended with ${status}`);
      // The first turn fills the caches of the disk.
      if (turn >= 0) times.get(name)?.push(ms);
    }
  }
  return new Map([...times].map(([name, all]) => [name, median(all)]));
}

/** What a process used. */
export interface Used {
  readonly wallMs: number;
  /** Processor time of all its threads. */
  readonly cpuMs: number;
  /** The most memory that it had at once. */
  readonly peakMiB: number;
}

/** Runs a program of Node to its end and tells what it used. */
export async function use(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stderr: 'ignore' | 'inherit' = 'inherit',
): Promise<Used> {
  const told = join(folder, `resources-${Math.random()}`);
  const began = performance.now();
  const command = [node, '--require', original('resources.cjs'), ...argv] as const;
  await run(command, { ...env, CARBON_BENCH_RESOURCES: told }, undefined, stderr);
  const wallMs = performance.now() - began;
  return { wallMs, ...JSON.parse(readFileSync(told, 'utf8')) };
}

/** Runs a program to its end without a look at what it prints. */
export async function run(
  [command, ...argv]: CommandLine,
  env: Readonly<Record<string, string>> = {},
  input?: string,
  stderr: 'ignore' | 'inherit' = 'inherit',
): Promise<void> {
  const stdio = [input === undefined ? 'ignore' : 'pipe', 'ignore', stderr] as const;
  const child = spawn(command, argv, { env: { ...bareEnvironment, ...env }, stdio: [...stdio] });
  child.stdin?.on('error', () => undefined).end(input);
  const [status] = await once(child, 'close');
  if (status !== 0)
    throw new Error(`${command} ${argv.join(' ').slice(0, 200)} ended with ${status}`);
}

/** A load server that runs. */
export interface LoadServer {
  readonly url: string;
  /** Environment that sends `carbon` there. */
  readonly env: Readonly<Record<string, string>>;
  counts(): Promise<Counts>;
  stop(): void;
}

/** Starts the load server in a process of its own. */
export async function startServer(options: LoadOptions = {}): Promise<LoadServer> {
  const child: ChildProcess = spawn(
    process.execPath,
    [program('load-server.js'), JSON.stringify(options)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const [line] = await once(child.stdout?.setEncoding('utf8') ?? child, 'data');
  const url = String(line).trim();
  return {
    url,
    env: { CARBON_BASE_URL: url, CARBON_API_KEY: 'bench' },
    counts: async () => (await (await fetch(`${url}/counts`)).json()) as Counts,
    stop: () => void child.stdin?.end(),
  };
}

/** Writes a CSV file of so many suppliers into a new folder and returns its path. */
export function writeSuppliers(rows: number): Promise<string> {
  const supplier = (row: number) =>
    `Supplier ${row} GmbH & Co. KG,DE,supplier-${row}.example,${row}\n`;
  return writeLines('suppliers.csv', rows, 'name,hq_region,website,external_id\n', supplier);
}

/**
 * Writes so many finished records, as the sandbox makes them, into a new folder and returns the
 * path of their file.
 */
export function writeRecords(records: number): Promise<string> {
  const write = recordWriter(realClock, 0);
  return writeLines('records.ndjson', records, '', (at) => {
    const identity = createHash('md5').update(`${at}`).digest('hex');
    const identifier = { name: `Supplier ${at} GmbH & Co. KG`, hq_region: 'DE' };
    return `${write({ id: at + 1, identity, at: 0, identifier }, 'USD')}\n`;
  });
}

async function writeLines(
  name: string,
  lines: number,
  header: string,
  lineOf: (at: number) => string,
): Promise<string> {
  const place = join(folder, `${lines}-${Math.random()}`);
  mkdirSync(place);
  const path = join(place, name);
  const file = createWriteStream(path);
  file.write(header);
  for (let at = 0; at < lines; at += 1) if (!file.write(lineOf(at))) await once(file, 'drain');
  await new Promise<void>((resolve) => file.end(resolve));
  return path;
}
