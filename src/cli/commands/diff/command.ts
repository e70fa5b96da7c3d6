import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Counts } from '../../../records/records.ts';
import {
  type Comparison,
  compare,
  type Difference,
  type Entries,
} from '../../../report/diff/diff.ts';
import { readEntry } from '../../../report/summary/digest.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { plural } from '../../../terminal/format.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { everyFormat } from '../../output-format.ts';
import { readLatest } from '../../read-snapshot.ts';
import type { Run, Session } from '../../session.ts';

interface DiffOptions {
  readonly out?: string;
}

const howItWorks = `
carbon compares name, status, country, industry, score, percentile, ranks,
report, CDP, SBTi, UN, Climate Pledge, and the emissions of every year. It
ignores revenue and emission factors, because they depend on the currency.

Exit codes: 0 no differences, 10 differences found, 1 or 2 failure.
-q prints the ids of new, gone (removed) and changed organizations.`;

/** Exit code of a comparison that found differences. */
const differencesFound = 10;

/** Declares `carbon diff`: options and help. The work is in `diff`. */
export function addDiff(program: Command, run: Run): Command {
  return program
    .command('diff')
    .description('Show the differences between two snapshots of records')
    .argument('<old>', 'older snapshot, or - to read standard input')
    .argument('<new>', 'newer snapshot, or - to read standard input')
    .option('--out <file>', 'write the differences to a workbook (.xlsx)')
    .addHelpText('after', howItWorks)
    .action((old: string, now: string, { out }: DiffOptions, command: Command) =>
      run(command, everyFormat, (session) => diff(session, old, now, out)),
    );
}

async function diff(
  session: Session,
  old: string,
  now: string,
  out: string | undefined,
): Promise<number> {
  if (old === '-' && now === '-')
    throw new UsageError('Standard input can be read only once, but - was given twice');
  if (out !== undefined) {
    const { checkOut } = await import('../../output/workbook-file.ts');
    await checkOut(session, out, [old, now], { isOnlyWorkbook: true, example: 'differences.xlsx' });
  }
  const before = await readEntries(session, old);
  const after = await readEntries(session, now);
  const withoutId = before.counts.withoutId + after.counts.withoutId;
  if (withoutId > 0)
    session.messages.warn(`carbon ignored ${plural(withoutId, 'record')} without an id.`);
  const comparison = compare(before.entries, after.entries);
  if (out !== undefined) await writeDifferences(session, out, comparison, [old, now]);
  if (session.format === 'human') {
    if (out !== undefined) return exitOf(comparison);
    const { renderComparison } = await import('../../../report/diff/view.ts');
    session.print(renderComparison(comparison, session.view));
  } else {
    await printItems(session, comparison.differences);
  }
  return exitOf(comparison);
}

function exitOf({ differences }: Comparison): number {
  return differences.length > 0 ? differencesFound : 0;
}

async function writeDifferences(
  session: Session,
  out: string,
  comparison: Comparison,
  inputs: readonly string[],
): Promise<void> {
  const [{ writeWorkbookFile }, { methodSheet, outputSheet }, { writtenBy }, view] =
    await Promise.all([
      import('../../output/workbook-file.ts'),
      import('../../../table/output-sheet.ts'),
      import('../../output/record-workbook.ts'),
      import('../../../report/diff/view.ts'),
    ]);
  const { differences } = comparison;
  const [older = '', newer = ''] = inputs.map((path) =>
    path === '-' ? 'standard input' : basename(path),
  );
  const sheets = [
    outputSheet({
      name: 'Differences',
      columns: view.differenceFields,
      rows: differences.flatMap(view.differenceRows),
    }),
    methodSheet([
      ...writtenBy(session),
      ['old snapshot', `${older}: ${plural(comparison.old, 'organization')}`],
      ['new snapshot', `${newer}: ${plural(comparison.new, 'organization')}`],
      ['compared', 'everything but revenue and emission factors, which depend on the currency'],
    ]),
  ];
  await writeWorkbookFile(session, out, sheets, () => ({
    text: plural(
      differences.length,
      'organization with differences',
      'organizations with differences',
    ),
    event: { organizations: differences.length },
  }));
}

async function readEntries(
  session: Session,
  path: string,
): Promise<{ entries: Entries; counts: Counts }> {
  const { latest, counts } = await readLatest(session, [path], (record) =>
    readEntry(record, false),
  );
  return { entries: new Map(latest.entries()), counts };
}

async function printItems(session: Session, differences: readonly Difference[]): Promise<void> {
  for (const difference of differences) {
    if (session.format === 'json') session.printJson(JSON.stringify(difference));
    if (session.format === 'ids') session.print(`${sanitize(String(difference.id))}\n`);
    await session.context.stdout.drained;
  }
  if (session.format !== 'csv') return;
  const { differenceFields, differenceRows } = await import('../../../report/diff/view.ts');
  const csv = await session.csv();
  for (const row of [differenceFields, ...differences.flatMap(differenceRows)]) csv.writeCells(row);
}
