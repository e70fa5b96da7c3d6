import { existsSync } from 'node:fs';
import { dateText, plural } from '../../../display/terminal/format.ts';
import { quoteWords } from '../../../display/terminal/sanitize.ts';
import type { RecordView } from '../../../display/terminal/style.ts';
import { capital } from '../../../display/terminal/text.ts';
import { unitInWords, unitOnSheet } from '../../../portfolio/organizations/statements.ts';
import {
  checkPast,
  datesOf,
  datesOnSheet,
  recordsThen,
  sentences,
} from '../../../portfolio/records/dates.ts';
import { compare } from '../../../portfolio/report/diff.ts';
import type { DifferenceRow } from '../../../portfolio/report/diff-text.ts';
import {
  createTakeSnapshot,
  isOfEmissions,
  type Snapshots,
  type TakeSnapshot,
} from '../../../portfolio/report/snapshot.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { dayAt } from '../../../runtime/clock.ts';
import { command, hint } from '../../../runtime/hint.ts';
import { fileTitle, fileWord } from '../../input-table.ts';
import { nextCommands } from '../../next-commands.ts';
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
  unitOption,
} from '../../options.ts';
import { openOut, showSummarized, type Table } from '../../output/show.ts';
import { type AboutList, printAbout, readLatest, type StoreView } from '../../read-snapshot.ts';
import type { Session } from '../../session.ts';

const howItWorks = `
carbon compares name, status, country, industry, score, ranks, the matched
organization, sources and the environmental report; CDP, SBTi, UN and Climate
Pledge, with their dates; the emissions of every year and region, with scope 3
categories and scope 2 methods; and, if the currency is the same, revenue and
emission factors. --since ignores dates of retrieval, and changes under 5% in
revenue and factors, which may come from exchange rates.

-q prints the IDs of new, removed and changed organizations.

Which unit the records are in: docs/faq.md (carbon help docs).

Exit codes: 0 no differences, 1 or 2 failure, 10 differences.`;

const differencesFound = 10;

const options = {
  Options: [
    {
      flags: '--since <date>',
      description: 'compare a list with itself at the end of this day (UTC), such as 2026-10-01',
      parse: readDay('--since'),
    },
    unitOption,
    { flags: '--full', description: 'show every change in the terminal' },
    recordCurrencyOption,
    sheetOption,
    outOption(['.xlsx', '.csv']),
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
  document: {
    'id, name': 'the organization',
    change: '`new`, `removed` or `changed`',
    synthetic: 'whether this is synthetic data of the sandbox',
    fields: 'what changed: `field`, `year`, `region`, and the values `old` and `new`',
  },
  service: ['--sandbox'],
  missing: [
    'two files, or a list and --since',
    hint`Try ${command`diff suppliers.csv --since 2026-10-01`} or ${command`diff old.ndjson new.ndjson`}.`,
  ],
  run: diff,
};

async function diff(
  session: Session,
  [old = '', other]: readonly string[],
  options: DiffOptions,
): Promise<number> {
  const { out, since, unit = null, full } = options;
  const now = other ?? (since === undefined ? undefined : old);
  if (now === undefined) throw await missingNewer(session, old, options);
  checkSides(old, other, options);
  checkPast(session.context.clock, '--since', since);
  const [text, { moveStatements, movesBetween }] = await Promise.all([
    import('../../../portfolio/report/diff-text.ts'),
    import('../../../portfolio/report/movers.ts'),
  ]);
  const file = await openOut(session, out, { extensions: ['.xlsx', '.csv'], inputs: [old, now] });
  const { older, newer, about } = await readSides(session, [old, now], options);
  const comparison = compare(older.snapshots, newer.snapshots, since !== undefined);
  const { differences } = comparison;
  const time = session.context.clock.now();
  const dates = datesOf([...older.times, ...newer.times], time);
  const today = dayAt(time);
  const moves = movesBetween(comparison, older.snapshots, newer.snapshots, today);
  const said = moveStatements(moves, since);
  const compared = { differences, older: older.snapshots, newer: newer.snapshots, today };
  const hasUnit = differences.some(({ fields }) =>
    fields.some(({ field }) => isOfEmissions(field)),
  );
  const daysThen = since === undefined ? '' : daysOf([older, newer], since, time);
  const result = {
    table: (): Table<DifferenceRow> => ({
      name: 'Differences',
      columns: text.differenceColumns,
      rows: differences.flatMap(text.differenceRows),
      idOf: ([id]) => id,
    }),
    json: differences,
    async terminal(view: RecordView) {
      const { renderChanges } = await import('../../../portfolio/report/diff-brief.ts');
      return renderChanges(compared, view, unit, full);
    },
    async workbook() {
      const sheets = await import('../../../portfolio/report/diff-sheet.ts');
      const { missing } = newer;
      const commands = nextCommands(session, [now], options);
      const found = { comparison, moves, said, missing, days: daysThen };
      const { legend, ...companies } = sheets.companyTable(compared, unit);
      const notes = hasUnit ? [['Unit of emissions', unitOnSheet(unit)] as const] : [];
      return {
        ...companies,
        sheets: [sheets.differenceSheet(differences)],
        title: titleOf(old, now, since),
        legend: [...legend, ...text.differenceLegend(unit)],
        summary: () => ({
          ...sheets.diffSummary({ ...found, dates: datesOnSheet(dates), commands }),
          notes,
        }),
      };
    },
  };
  const summarize = () => {
    const inUnit = hasUnit ? [{ text: capital(unitInWords(unit)) }] : [];
    const days = since === undefined ? sentences([], dates) : daysThen;
    const words = `${sentences([...said, ...inUnit])} ${days}`.trim();
    session.summarize(
      { level: 'result', text: words },
      {
        statements: said,
        unit,
        ...dates,
        since: since ?? null,
        old: comparison.old,
        new: comparison.new,
        differences: differences.length,
      },
    );
    printAbout(session, about);
  };
  await showSummarized(session, result, { out: file, summarize });
  return differences.length > 0 ? differencesFound : 0;
}

/* Says of which days the records are now and were then. */
function daysOf(
  [older, newer]: readonly { readonly times: readonly (string | null | undefined)[] }[],
  since: string,
  time: number,
): string {
  const [then, now] = [older, newer].map((side) => datesOf(side?.times ?? [], time));
  const compared = then && then.records_from !== null ? [{ text: recordsThen(since, then) }] : [];
  return [sentences([], now), sentences(compared)].join(' ').trim();
}

function titleOf(old: string, now: string, since: string | undefined): string {
  const [before, after] = [old, now].map(fileTitle);
  return since === undefined
    ? `Changes from ${before} to ${after}`
    : `Changes in ${after} since ${dateText(since)}`;
}

/* Returns the error for a snapshot with nothing to compare, with a day of the list if it is one. */
async function missingNewer(
  { context, flags }: Session,
  old: string,
  { keep }: DiffOptions,
): Promise<UsageError> {
  const problem = 'carbon diff needs two files, or a list and --since';
  const word = quoteWords([fileWord(old)]);
  const { openStoredRecords } = await import('../../../lists/kept/view.ts');
  const view = { keep, sandbox: flags.sandbox, signal: context.signal };
  const stored = old === '-' ? undefined : await openStoredRecords(old, view);
  const [first] = [...((await stored?.firstDays()) ?? []).values()].sort();
  return new UsageError(
    problem,
    first === undefined
      ? hint`To compare it with newer records: ${command`diff ${word} new.ndjson`}.`
      : hint`Its records begin on ${first}: ${command`diff ${word} --since ${first}`}`,
  );
}

/* A day in the place of the newer snapshot is that of --since. */
function checkSides(old: string, newer: string | undefined, { since }: DiffOptions): void {
  const word = quoteWords([fileWord(old)]);
  const day = since ?? (/^\d{4}-\d\d-\d\d$/.test(newer ?? '') ? newer : undefined);
  if (newer !== undefined && day !== undefined && (since !== undefined || !existsSync(newer)))
    throw new UsageError(
      '--since compares one list with itself',
      hint`Did you mean ${command`diff ${word} --since ${day}`}?`,
    );
  if (old === '-' && newer === '-')
    throw new UsageError('Standard input can be read only once, but - was given twice');
}

/* Reads both snapshots, and what to say about their lists: once if both say the same. */
async function readSides(
  session: Session,
  [old, now]: readonly [old: string, now: string],
  options: DiffOptions,
) {
  const { since } = options;
  const take = createTakeSnapshot();
  const [ofOlder, ofNewer]: readonly [AboutList[], AboutList[]] = [[], []];
  const older = await readSide(session, old, { ...options, later: ofOlder, at: since }, { take });
  const known = older.snapshots;
  const newer = await readSide(session, now, { ...options, later: ofNewer }, { take, known });
  const withoutId = older.withoutId + newer.withoutId;
  if (withoutId > 0)
    session.messages.warn(`carbon ignored ${plural(withoutId, 'record')} without an ID.`);
  const isRepeated = ({ text }: AboutList) =>
    since !== undefined && ofNewer.some((each) => each.text === text);
  return {
    older,
    newer,
    about: [...ofOlder.filter((each) => !isRepeated(each)), ...ofNewer],
  };
}

/*
 * Reads a snapshot.
 * @param sharing.known the other snapshot, whose organizations it shares if they are equal
 */
async function readSide(
  session: Session,
  path: string,
  { keep, currency, sheet, at, later }: Omit<StoreView, 'out'>,
  { take, known }: { readonly take: TakeSnapshot; readonly known?: Snapshots },
) {
  const { latest, counts, missing } = await readLatest(
    session,
    [path],
    (record, _, key) => take(record, key === undefined ? undefined : known?.get(key)),
    { keep, currency, sheet, at, later, saysDays: true },
  );
  return {
    snapshots: new Map(latest.entries()),
    withoutId: counts.withoutId,
    missing,
    times: [...latest.times()],
  };
}
