import { count, plural } from '../../../display/terminal/format.ts';
import type { RecordView } from '../../../display/terminal/style.ts';
import { companies } from '../../../portfolio/organizations/statements.ts';
import { datesOf, datesOnSheet, sentences } from '../../../portfolio/records/dates.ts';
import { compare, type Snapshots, takeSnapshot } from '../../../portfolio/report/diff.ts';
import type { DifferenceRow } from '../../../portfolio/report/diff-text.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import {
  type CommandDeclaration,
  everyFormat,
  keepOption,
  type OptionGroups,
  type OptionValues,
  outOption,
  readDay,
  recordCurrencyOption,
  sheetOption,
} from '../../options.ts';
import { openOut, show, type Table } from '../../output/show.ts';
import { readLatest } from '../../read-snapshot.ts';
import type { Session } from '../../session.ts';

const howItWorks = `
carbon compares name, status, country, industry, score, ranks, the matched
organization, sources and the environmental report; CDP, SBTi, UN and Climate
Pledge, with their dates; the emissions of every year and region, with scope 3
categories and scope 2 methods; and, if the currency is the same, revenue and
emission factors. --since ignores dates of retrieval, and changes under 5% in
revenue and factors, which may come from exchange rates.

Exit codes: 0 no differences, 10 differences found, 1 or 2 failure.
-q prints the IDs of new, removed and changed organizations.`;

const differencesFound = 10;

const options = {
  Options: [
    {
      flags: '--since <date>',
      description: 'compare a list with itself at the end of this day (UTC), such as 2026-10-01',
      parse: readDay('--since'),
    },
    recordCurrencyOption,
    sheetOption,
    outOption('.xlsx or .csv'),
    keepOption,
  ],
} as const satisfies OptionGroups;

type DiffOptions = OptionValues<typeof options>;

export const diffCommand: CommandDeclaration<typeof options> = {
  name: 'diff',
  group: 'Portfolio',
  summary: 'Show what changed in a list since a day, or between snapshots',
  arguments: [
    {
      term: '<old>',
      description: 'older snapshot, or - for standard input; with --since, a list',
    },
    { term: '[new]', description: 'newer snapshot, or - for standard input' },
  ],
  options,
  examples: [
    'carbon diff suppliers.xlsx --since 2026-10-01',
    'carbon diff yesterday.ndjson today.ndjson',
    'carbon diff old.ndjson new.ndjson -q | carbon get - --csv > changed.csv',
  ],
  notes: howItWorks,
  formats: everyFormat,
  service: ['--sandbox'],
  missing: ['two files', 'Try `carbon diff old.ndjson new.ndjson`.'],
  run: (session, [old = '', now], options) => diff(session, old, now, options),
};

async function diff(
  session: Session,
  old: string,
  newer: string | undefined,
  { out, since, keep, currency, sheet }: DiffOptions,
): Promise<number> {
  const view = { keep, currency, sheet };
  const now = newer ?? (since === undefined ? undefined : old);
  if (now === undefined)
    throw new UsageError(
      'carbon diff needs two files, or a list and --since',
      `Try \`carbon diff old.ndjson new.ndjson\` or \`carbon diff suppliers.xlsx --since 2026-10-01\`.`,
    );
  if (newer !== undefined && since !== undefined)
    throw new UsageError('--since compares one list with itself', 'Name only the list.');
  if (old === '-' && now === '-')
    throw new UsageError('Standard input can be read only once, but - was given twice');
  const [
    { differenceColumns, differenceLegend, differenceRows, renderComparison },
    { moveStatements, movesBetween },
  ] = await Promise.all([
    import('../../../portfolio/report/diff-text.ts'),
    import('../../../portfolio/report/movers.ts'),
  ]);
  const file = await openOut(session, out, { extensions: ['.xlsx', '.csv'], inputs: [old, now] });
  let withoutId = 0;
  const times: string[] = [];
  let saidDays = true;
  const read = async (path: string, at?: string, known?: Snapshots): Promise<Snapshots> => {
    const { latest, counts, ...read } = await readLatest(
      session,
      [path],
      (record, _, key) => takeSnapshot(record, key === undefined ? undefined : known?.get(key)),
      { ...view, at },
    );
    withoutId += counts.withoutId;
    // A line about a list says which day --since is.
    saidDays &&= read.saidDays || at !== undefined;
    for (const time of latest.times()) times.push(time);
    return new Map(latest.entries());
  };
  const before = await read(old, since);
  const after = await read(now, undefined, before);
  const comparison = compare(before, after, since !== undefined);
  if (withoutId > 0)
    session.messages.warn(`carbon ignored ${plural(withoutId, 'record')} without an ID.`);
  const { differences } = comparison;
  const time = session.context.clock.now();
  const dates = datesOf(times, time);
  const today = new Date(time).toISOString().slice(0, 10);
  const said = moveStatements(movesBetween(comparison, before, after, today));
  const table = (): Table<DifferenceRow> => ({
    name: 'Differences',
    columns: differenceColumns,
    rows: differences.flatMap(differenceRows),
    idOf: ([id]) => id,
  });
  const totals = `${companies(comparison.old)} before, ${count.format(comparison.new)} now: ${plural(differences.length, 'difference')}`;
  const workbook = {
    summary: () => ({
      isSynthetic: differences.some(({ synthetic }) => synthetic),
      legend: differenceLegend,
      dates: datesOnSheet(dates),
      statements: [...said.map(({ text }) => text), ...(differences.length > 0 ? [totals] : [])],
    }),
  };
  const terminal = (view: RecordView) => renderComparison(comparison, view);
  await show(session, { table, json: differences, terminal, workbook }, file);
  session.summarize(
    { level: 'result', text: sentences(said, saidDays ? undefined : dates) },
    {
      statements: said,
      ...dates,
      since: since ?? null,
      old: comparison.old,
      new: comparison.new,
      differences: differences.length,
    },
  );
  return differences.length > 0 ? differencesFound : 0;
}
