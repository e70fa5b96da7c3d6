import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Finding } from './findings.ts';
import {
  type CommandLine,
  carbon,
  isInstalled,
  median,
  node,
  original,
  program,
  run,
  type Used,
  use,
  writeRecords,
} from './measure.ts';

const python = `
import json, sys
print(sum(json.loads(line).get("score") or 0 for line in open(sys.argv[1], "rb")))
`;

/* The goals are for large files. */
const minGoalRecords = 100_000;

/**
 * Measures the commands that read records beside a loop that only reads and parses them. The
 * programs run in turns, so that the
 * machine's load affects all alike.
 */
export async function* reading(
  records: number,
  turns: number,
  print: (text: string) => void,
): AsyncGenerator<Finding> {
  const file = await writeRecords(records);
  const section = `reading ${records.toLocaleString('en')} records`;
  const [bare] = await inTurns(turns, [() => use([program('bare-reading.js'), file])]);
  yield { section, what: 'bare readline and JSON.parse', value: bare.wallMs / 1000, unit: 's' };
  const own: readonly (readonly [string, readonly string[], files: string[], most: number])[] = [
    ['report', ['report', file, '--json'], [file], 1.6],
    ['list, the first 20', ['list', file, '--sort', '-score', '--top', '20'], [file], 1.6],
    ['list, all as CSV', ['list', file, '--csv', '--no-progress'], [file], 2.5],
    ['diff of two files', ['diff', file, file], [file, file], 1.6],
  ];
  for (const [what, words, files, most] of own) {
    const [used, again] = await inTurns(turns, [
      () => use([carbon, ...words], {}, 'ignore'),
      () => use([program('bare-reading.js'), ...files], {}, 'ignore'),
    ]);
    const ratio = used.wallMs / again.wallMs;
    const isGoal = records >= minGoalRecords;
    const goal = isGoal ? ({ goal: ['at most', most] } as const) : {};
    yield { section, what, value: used.wallMs / 1000, unit: 's', ratio, ...goal };
    const cpuRatio = used.cpuMs / again.cpuMs;
    const cpu = { section, what: `${what}, processor time`, unit: 's' } as const;
    yield { ...cpu, value: used.cpuMs / 1000, ratio: cpuRatio };
    yield { section, what: `${what}, memory`, value: used.peakMiB, unit: 'MiB' };
  }
  for (const [what, command] of peers(file, print)) {
    const times: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) times.push(await timed(command));
    const ms = median(times);
    yield { section, what, value: ms / 1000, unit: 's', ratio: ms / bare.wallMs };
  }
  rmSync(dirname(file), { recursive: true });
}

function peers(file: string, print: (text: string) => void): Map<string, CommandLine> {
  const duckdb = [node, original('duckdb.js')] as const;
  const all: readonly (readonly [string, CommandLine, test: CommandLine])[] = [
    ['jq', ['jq', '-n', '[inputs.score // 0] | add', file], ['jq', '--version']],
    ['python3', ['python3', '-c', python, file], ['python3', '--version']],
    ['duckdb', [...duckdb, file], duckdb],
  ];
  const installed = all.filter(([, , test]) => isInstalled(...test));
  const missing = all.filter((entry) => !installed.includes(entry)).map(([name]) => name);
  if (missing.length > 0) print(`not installed: ${missing.join(', ')}`);
  return new Map(installed.map(([name, command]) => [name, command]));
}

async function timed(command: CommandLine): Promise<number> {
  const began = performance.now();
  await run(command);
  return performance.now() - began;
}

/* Runs programs in turns, and returns the medians and the peak memory of each. */
async function inTurns<const Runs extends readonly (() => Promise<Used>)[]>(
  turns: number,
  runs: Runs,
): Promise<{ [Index in keyof Runs]: Used }> {
  const all = runs.map((): Used[] => []);
  for (let turn = 0; turn < turns; turn += 1)
    for (const [index, each] of runs.entries()) all[index]?.push(await each());
  return all.map((used) => ({
    wallMs: median(used.map(({ wallMs }) => wallMs)),
    cpuMs: median(used.map(({ cpuMs }) => cpuMs)),
    peakMiB: Math.max(...used.map(({ peakMiB }) => peakMiB)),
  })) as { [Index in keyof Runs]: Used };
}
