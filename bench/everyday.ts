import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Finding } from './findings.ts';
import {
  bareEnvironment,
  carbon,
  median,
  medianRatio,
  node,
  processorMs,
  writeSpend,
  writeSuppliers,
} from './measure.ts';

const rows = 60;

/** Measures the processor time of commands on a synced list, next to a bare Node. */
export async function* everyday(turns: number): AsyncGenerator<Finding> {
  const words = ['sandbox', '--port', '0', '--research', '1ms', '--json'];
  const stdio = ['ignore', 'pipe', 'ignore'] as const;
  const sandbox = spawn(node, [carbon, ...words], { env: bareEnvironment, stdio: [...stdio] });
  const [line] = await once(sandbox.stdout, 'data');
  const { url, key } = JSON.parse(line);
  const env = { CARBON_BASE_URL: url, CARBON_API_KEY: key };
  const list = await writeSuppliers(rows);
  const spend = await writeSpend(rows, false);
  const today = new Date().toISOString().slice(0, 10);
  // Research fails on some organizations of the sandbox: 7. A check has errors: 10.
  const commands: readonly (readonly string[])[] = [
    ['list', list],
    ['report', list],
    ['report', list, '-o', `${list}.html`, '--overwrite'],
    ['diff', list, '--since', today],
    ['check', list],
    ['footprint', spend, '--records', list],
    ['sync', list],
  ];
  const outcomes = [0, 7, 9, 10];
  const timeOf = (argv: readonly string[]) => processorMs(argv, env, outcomes);
  try {
    timeOf([carbon, 'sync', list]);
    const times = commands.map((): number[] => []);
    const bare = commands.map((): number[] => []);
    for (let turn = 0; turn < turns; turn += 1)
      for (const [index, argv] of commands.entries()) {
        bare[index]?.push(timeOf(['-e', '0']));
        times[index]?.push(timeOf([carbon, ...argv]));
      }
    const section = `everyday commands, processor time on a list of ${rows} rows`;
    const node = median(bare.flat());
    // A fast machine starts Node faster than it loads the code of a command.
    const most = node < 50 ? 4.6 : 3.3;
    yield { section, what: 'node -e 0', value: node, unit: 'ms' };
    for (const [index, [name, ...argv]] of commands.entries()) {
      const value = median(times[index] ?? []);
      const ratio = medianRatio(times[index] ?? [], bare[index] ?? []);
      const options = argv.filter((word) => /^--?[a-z]/.test(word) && word !== '--overwrite');
      const what = ['carbon', name, ...options].join(' ');
      yield { section, what, value, unit: 'ms', ratio, goal: ['at most', most] };
    }
  } finally {
    sandbox.kill();
  }
}
