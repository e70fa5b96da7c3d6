import type { Command } from 'commander';
import type { Key } from '../../../organizations/key.ts';
import { compare, type Difference, type Entries } from '../../../report/diff/diff.ts';
import type { Counts } from '../../../report/input/records.ts';
import { type Entry, readEntry } from '../../../report/summary/digest.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { plural } from '../../../terminal/format.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { readRecords, requireRecords } from '../../read-snapshot.ts';
import { everyFormat, type Run } from '../../runner.ts';
import type { Session } from '../../session.ts';

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
    .addHelpText('after', howItWorks)
    .action((old: string, now: string, _: unknown, command: Command) =>
      run(command, everyFormat, (session) => diff(session, old, now)),
    );
}

async function diff(session: Session, old: string, now: string): Promise<number> {
  if (old === '-' && now === '-')
    throw new UsageError('Standard input can be read only once, but - was given twice');
  const before = await readEntries(session, old);
  const after = await readEntries(session, now);
  requireRecords(before.counts, [old]);
  requireRecords(after.counts, [now]);
  const withoutId = before.counts.withoutId + after.counts.withoutId;
  if (withoutId > 0)
    session.messages.warn(`carbon ignored ${plural(withoutId, 'record')} without an id.`);
  const comparison = compare(before.entries, after.entries);
  if (session.format === 'human') {
    const { renderComparison } = await import('../../../report/diff/view.ts');
    session.print(renderComparison(comparison, session.view));
  } else {
    await printItems(session, comparison.differences);
  }
  return comparison.differences.length > 0 ? differencesFound : 0;
}

async function readEntries(
  session: Session,
  path: string,
): Promise<{ entries: Entries; counts: Counts }> {
  const entries = new Map<Key, Entry>();
  const counts = await readRecords(session, [path], (record, key) => {
    if (key !== undefined) entries.set(key, readEntry(record, false));
  });
  return { entries, counts };
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
