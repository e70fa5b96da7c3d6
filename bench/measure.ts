import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordOf, statusOf } from '../src/sandbox/records.ts';
import type { LoadOptions } from './load-server.ts';

/** Path of the Node to measure: CARBON_TEST_NODE or, without it, the one that runs the bench. */
export const node = process.env['CARBON_TEST_NODE'] || process.execPath;

/** Version of that Node, such as `v22.20.0`. */
export const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

/* The bench runs bundled, in dist/bench. */
const root = join(import.meta.dirname, '../..');

/** Path of carbon's executable. */
export const carbon = join(root, 'bin/carbon.cjs');

/** Returns the path of a bundled program of the bench. */
export function program(name: string): string {
  return join(import.meta.dirname, name);
}

/** Returns the path of a file of the bench that is not bundled. */
export function original(name: string): string {
  return join(root, 'bench', name);
}

/** A temporary directory, removed when the bench ends. */
export const temporaryDirectory = mkdtempSync(join(tmpdir(), 'carbon-bench-'));
process.on('exit', () => rmSync(temporaryDirectory, { recursive: true, force: true }));

/**
 * The environment of measured programs. It is bare, because NODE_EXTRA_CA_CERTS alone takes half as
 * long as starting Node 20.
 */
export const bareEnvironment = { PATH: process.env['PATH'] ?? '', HOME: temporaryDirectory };

/** Returns the median; for an even count, the upper one of the two. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

/**
 * Returns the median of the ratios of each turn. Those of medians differ by a third between runs,
 * because the speed of a machine changes within seconds.
 */
export function medianRatio(own: readonly number[], bare: readonly number[]): number {
  return median(own.map((each, turn) => each / (bare[turn] ?? Number.NaN)));
}

/** A program and its arguments. */
export type CommandLine = readonly [command: string, ...argv: string[]];

/** Runs each command once per turn; returns the durations of each in milliseconds, by name. */
export function timeInTurns(
  commands: ReadonlyMap<string, CommandLine>,
  turns: number,
  env: Readonly<Record<string, string>> = {},
): Map<string, number[]> {
  const times = new Map([...commands.keys()].map((name) => [name, [] as number[]]));
  for (let turn = -1; turn < turns; turn += 1) {
    for (const [name, [command, ...argv]] of commands) {
      const began = performance.now();
      const { status } = spawnSync(command, argv, { env: { ...bareEnvironment, ...env } });
      const ms = performance.now() - began;
      if (status !== 0) throw new Error(`${name} ended with ${status}`);
      // The first turn only fills the disk cache.
      if (turn >= 0) times.get(name)?.push(ms);
    }
  }
  return times;
}

/** Resources that a process used. */
export interface Used {
  readonly wallMs: number;
  /** Processor time of all threads. */
  readonly cpuMs: number;
  /** Peak resident memory. */
  readonly peakMb: number;
}

/**
 * Runs a Node program to its end and returns the resources it used.
 * @param exits the expected exit codes
 * @param input its standard input
 */
export async function use(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stderr: 'ignore' | 'inherit' = 'inherit',
  exits: readonly number[] = [0],
  input?: string,
): Promise<Used> {
  const resourcesFile = join(temporaryDirectory, `resources-${Math.random()}`);
  const began = performance.now();
  const command = [node, '--require', original('resources.cjs'), ...argv] as const;
  await run(command, { ...env, CARBON_BENCH_RESOURCES: resourcesFile }, input, stderr, exits);
  const wallMs = performance.now() - began;
  return { wallMs, ...JSON.parse(readFileSync(resourcesFile, 'utf8')) };
}

/**
 * Runs a Node program to its end, and returns its processor time in milliseconds. Bash measures the
 * whole process: a measurement inside it would miss its end.
 * @param exits the expected exit codes
 */
export function processorMs(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  exits: readonly number[],
): number {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null 2>&1';
  const { status, stderr, error } = spawnSync('bash', ['-c', script, 'bash', node, ...argv], {
    env: { ...bareEnvironment, ...env },
    encoding: 'utf8',
  });
  const [user = Number.NaN, system = Number.NaN] = (stderr ?? '').trim().split(' ').map(Number);
  if (!exits.includes(status ?? -1) || Number.isNaN(user + system))
    throw new Error(`bash, ${argv.join(' ')} ended with ${status}: ${stderr}`, { cause: error });
  return (user + system) * 1_000;
}

/* Runs a program to its end and discards what it prints. */
async function run(
  [command, ...argv]: CommandLine,
  env: Readonly<Record<string, string>>,
  input: string | undefined,
  stderr: 'ignore' | 'inherit',
  exits: readonly number[],
): Promise<void> {
  const stdio = [input === undefined ? 'ignore' : 'pipe', 'ignore', stderr] as const;
  const child = spawn(command, argv, { env: { ...bareEnvironment, ...env }, stdio: [...stdio] });
  child.stdin?.on('error', () => undefined).end(input);
  const [status] = await once(child, 'close');
  if (!exits.includes(status))
    throw new Error(`${command} ${argv.join(' ').slice(0, 200)} ended with ${status}`);
}

/** What a program used in several turns: median times, the peak memory, and ratios to another. */
export interface UsedInTurns extends Used {
  readonly wallRatio: number;
  readonly cpuRatio: number;
}

/** Runs programs in turns. Ratios are to the first one. */
export async function inTurns<const Runs extends readonly (() => Promise<Used>)[]>(
  turns: number,
  runs: Runs,
): Promise<{ [Index in keyof Runs]: UsedInTurns }> {
  const all = runs.map((): Used[] => []);
  for (let turn = 0; turn < turns; turn += 1)
    for (const [index, each] of runs.entries()) all[index]?.push(await each());
  const listOf = (used: readonly Used[] | undefined, name: keyof Used) =>
    used?.map((each) => each[name]) ?? [];
  return all.map((used) => ({
    wallMs: median(listOf(used, 'wallMs')),
    cpuMs: median(listOf(used, 'cpuMs')),
    peakMb: Math.max(...listOf(used, 'peakMb')),
    wallRatio: medianRatio(listOf(used, 'wallMs'), listOf(all[0], 'wallMs')),
    cpuRatio: medianRatio(listOf(used, 'cpuMs'), listOf(all[0], 'cpuMs')),
  })) as { [Index in keyof Runs]: UsedInTurns };
}

/** A running load server. */
export interface LoadServer {
  readonly url: string;
  /** Environment variables that make `carbon` use this server. */
  readonly env: Readonly<Record<string, string>>;
  stop(): void;
}

/** Starts the load server in its own process. */
export async function startServer(options: LoadOptions = {}): Promise<LoadServer> {
  const child: ChildProcess = spawn(
    process.execPath,
    [program('load-server.js'), JSON.stringify(options)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const ready = once(child.stdout?.setEncoding('utf8') ?? child, 'data');
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The load server ended with exit code ${code}`);
  });
  const [line] = await Promise.race([ready, failed]);
  const url = String(line).trim();
  return {
    url,
    env: { CARBON_BASE_URL: url, CARBON_API_KEY: 'bench' },
    stop: () => void child.stdin?.end(),
  };
}

/**
 * Writes a CSV file with `rows` suppliers into a new directory and returns its path.
 * @param isQuoted whether to quote each name, and to end lines with CRLF
 */
export function writeSuppliers(rows: number, isQuoted = false): Promise<string> {
  const [quote, end] = isQuoted ? ['"', '\r\n'] : ['', '\n'];
  const supplier = (row: number) =>
    `${quote}Supplier ${row} GmbH & Co. KG${quote},DE,supplier-${row}.example,${row}${end}`;
  return writeLines('suppliers.csv', rows, 'name,hq_region,website,external_id\n', supplier);
}

/**
 * Writes a CSV file with the spend of `rows` suppliers into a new directory; returns its path.
 * @param hasIds whether it has the IDs of `writeRecords`, instead of names that a service may know
 */
export function writeSpend(rows: number, hasIds: boolean): Promise<string> {
  const row = (index: number) =>
    `${hasIds ? index + 1 : ''},Supplier ${index} GmbH & Co. KG,DE,${1_000 + (index % 9_000)}.${10 + (index % 90)},USD,Category ${index % 40}\n`;
  return writeLines('spend.csv', rows, 'carbon_id,name,country,spend,currency,category\n', row);
}

/**
 * Writes a file with finished records of the sandbox into a new directory and returns the path of
 * the file. The figures are recent: old ones have more findings than those of any service.
 */
export function writeRecords(records: number): Promise<string> {
  return writeLines('records.ndjson', records, '', (index) => {
    const identity = createHash('md5').update(`${index}`).digest('hex');
    const identifier = { name: `Supplier ${index} GmbH & Co. KG`, hq_region: 'DE' };
    const registered = { id: index + 1, identity, at: Date.now(), identifier };
    return `${JSON.stringify(recordOf(registered, statusOf(registered, 1, 0), 'USD'))}\n`;
  });
}

async function writeLines(
  name: string,
  lines: number,
  header: string,
  lineOf: (index: number) => string,
): Promise<string> {
  const directory = join(temporaryDirectory, `${lines}-${Math.random()}`);
  mkdirSync(directory);
  const path = join(directory, name);
  const file = createWriteStream(path);
  file.write(header);
  for (let index = 0; index < lines; index += 1)
    if (!file.write(lineOf(index))) await once(file, 'drain');
  await new Promise<void>((resolve) => file.end(resolve));
  return path;
}
