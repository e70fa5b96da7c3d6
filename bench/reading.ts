import type { Finding } from './findings.ts';
import {
  carbon,
  inTurns,
  program,
  startServer,
  use,
  writeRecords,
  writeSpend,
  writeSuppliers,
} from './measure.ts';

/* With fewer records, the start of the process decides. */
const minGoalRecords = 100_000;

/** Measures the commands that read records, next to a loop that only reads and parses them. */
export async function* reading(records: number, turns: number): AsyncGenerator<Finding> {
  const file = await writeRecords(records);
  const spend = await writeSpend(records, true);
  const server = await startServer({ idempotent: true });
  const list = await writeSuppliers(records);
  const sync = ['sync', list, '--no-progress', '--max-age', 'never'];
  await use([carbon, ...sync], server.env, 'ignore');
  const stored = `${list}.records.ndjson`;
  const section = `reading ${records.toLocaleString('en')} records`;
  const isGoal = records >= minGoalRecords;
  const workbook = `${file}.xlsx`;
  type Measured = readonly [
    argv: string[],
    files: string[],
    ratio: number | undefined,
    mb?: number,
  ];
  const own: readonly Measured[] = [
    [['list', file, '--sort', '-score', '--top', '20'], [file], 1.6],
    [['list', file, '--csv', '--no-progress'], [file], 2.5],
    [['diff', file, file], [file, file], 2, 400],
    [['report', file, '--json'], [file], 2.7, 400],
    [['footprint', spend, '--records', file, '--csv'], [file], 4.2, 400],
    [sync, [stored], 0.8, 300],
    [['check', file, '--json'], [file], undefined, 400],
    [['list', file, '-o', workbook, '--overwrite', '--no-progress'], [file], undefined, 400],
  ];
  for (const [words, files, ratio, mb] of own) {
    // Some organizations of the sandbox have no factor: 9. Findings: 10.
    const [, used] = await inTurns(turns, [
      () => use([program('bare-reading.js'), ...files]),
      () => use([carbon, ...words], server.env, 'ignore', [0, 9, 10]),
    ]);
    const paths: readonly string[] = [file, spend, list, workbook];
    const what = words.filter((word) => !paths.includes(word) && word !== '--no-progress');
    const name = `carbon ${what.join(' ')}`;
    yield {
      section,
      what: name,
      value: used.wallMs / 1000,
      unit: 's',
      ratio: used.wallRatio,
      goal: isGoal && ratio !== undefined ? ['at most', ratio] : undefined,
    };
    const goal = isGoal && mb !== undefined ? (['at most', mb] as const) : undefined;
    yield { section, what: `${name}: memory`, value: used.peakMb, unit: 'MB', goal };
  }
  server.stop();
}
