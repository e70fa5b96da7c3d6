import { basename } from 'node:path';
import { comparableId, type OrganizationId } from '../../../client/api/ids.ts';
import type { Organization } from '../../../client/api/schema.ts';
import { count, naming, plural } from '../../../display/terminal/format.ts';
import { layoutColumns, syntheticNote } from '../../../display/terminal/style.ts';
import type { ListOptions } from '../../../lists/kept/listed-ids.ts';
import type { Keeping } from '../../../lists/kept/paths.ts';
import {
  checkChanged,
  checkRecord,
  type DatedMatch,
  isAliasOfListed,
  type ListedOrganization,
  ruleWords,
  SharedMatches,
  stepsFor,
} from '../../../portfolio/checks/check-records.ts';
import {
  EqualFigures,
  type EqualFiguresOf,
  readFigures,
} from '../../../portfolio/checks/equal-figures.ts';
import type { CheckOnSheet } from '../../../portfolio/checks/finding-sheet.ts';
import {
  bySeverity,
  countsText,
  type Finding,
  findingColumns,
  type ShownFinding,
  summarizeFindings,
} from '../../../portfolio/checks/findings.ts';
import {
  checkStatements,
  countRecords,
  effectText,
  type RecordCounts,
} from '../../../portfolio/checks/statements.ts';
import { isSynthetic } from '../../../portfolio/organizations/history.ts';
import {
  datesOf,
  datesOnSheet,
  type ResultDates,
  sentences,
} from '../../../portfolio/records/dates.ts';
import type { LatestRecords, RecordSource } from '../../../portfolio/records/records.ts';
import { invalidInput, UsageError } from '../../../runtime/carbon-error.ts';
import { dayAt } from '../../../runtime/clock.ts';
import { command, hint } from '../../../runtime/hint.ts';
import { fileTitle, keptNotices, tableOptions, tableWords } from '../../input-table.ts';
import { nextCommands } from '../../next-commands.ts';
import {
  type CommandDeclaration,
  everyFormat,
  keepOption,
  type OptionGroups,
  type OptionValues,
  outOption,
  recordCurrencyOption,
  recordFiles,
} from '../../options.ts';
import { hasAnswerLines, summarizeAnswers } from '../../output/answer-notices.ts';
import { openOut, type Result, showSummarized, type Table } from '../../output/show.ts';
import { type AboutList, correctionIn, printAbout, readLatest } from '../../read-snapshot.ts';
import type { Session } from '../../session.ts';

const foundErrors = 10;

const howItWorks = `
Is each figure plausible, and does each record belong to the company you meant?
carbon compares the figures of a record with each other, with the year before
and with the industry, and the matched organization with the row of your list
(for records of get or watch, name the list with --list). It sends no requests.

Exit codes: 0 no errors, 1 or 2 failure, 10 errors.

Every finding, with its limit and its code in --csv and --json:
docs/reference/checks.md (carbon help docs)`;

const options = {
  Options: [
    outOption(['.xlsx', '.csv']),
    {
      flags: '--list <file>',
      description: 'list whose rows to compare with records from elsewhere',
    },
    {
      flags: '--map <field=column>',
      description: 'assign columns of the list: id="Carbon no." (repeatable)',
      parse: (text: string, sofar: readonly string[] = []) => [...sofar, text],
    },
    ...tableOptions,
    recordCurrencyOption,
    keepOption,
  ],
} as const satisfies OptionGroups;

type CheckOptions = OptionValues<typeof options>;

export const checkCommand: CommandDeclaration<typeof options> = {
  name: 'check',
  group: 'Portfolio',
  summary: 'Find figures and matches that cannot be right',
  arguments: [recordFiles],
  options,
  examples: [
    'carbon check suppliers.xlsx',
    'carbon check records.ndjson --list suppliers.csv',
    'carbon check suppliers.xlsx -o findings.xlsx',
  ],
  notes: howItWorks,
  formats: everyFormat,
  document: {
    'id, name': 'the organization',
    'rule, severity':
      'the code of the [rule](checks.md), and its severity: `error`, `warning` or `notice`',
    action: 'what to do about it',
    'value, limit': 'the number that was found, and the one that it is compared with',
    year: 'the year of the figures, null for other findings',
    evidence: 'what was found, in words',
    synthetic: 'whether this is synthetic data of the sandbox',
  },
  service: ['--sandbox'],
  missing: [
    'a file',
    hint`Try ${command`check suppliers.csv`}, or ${command`check -`} to read standard input.`,
  ],
  run: check,
};

async function check(
  session: Session,
  files: readonly string[],
  options: CheckOptions,
): Promise<number> {
  const { out, keep, currency, sheet } = options;
  const { messages, context } = session;
  const compared = await listToCompare(session, files, options);
  const inputs = compared === undefined ? files : [...files, compared.path];
  const target = await openOut(session, out, { extensions: ['.xlsx', '.csv'], inputs });
  const list = compared && (await readList(compared));
  // With --list, the sheet is one of the list.
  const later: AboutList[] = [];
  const view = {
    keep,
    currency,
    later,
    sheet: options.list === undefined ? sheet : undefined,
  };
  if (list !== undefined) messages.print(...keptNotices(list.kept));
  const matches: EarlierMatches = new Map();
  const today = dayAt(context.clock.now());
  const { latest, saidDays, missing } = await readLatest(
    session,
    files,
    (record, source) => {
      noteMatch(matches, record, source);
      return checkOne(record, list?.rowsOf(record, source) ?? [], today);
    },
    { ...view, out: target, withEarlier: true, saysDays: true },
  );
  const { findings, others, synthetic } = await judge(latest, matches);
  const comparison = list?.compare(new Set([...latest.entries()].map(([id]) => id)));
  const { error, warning, notice } = summarizeFindings(findings);
  const checked = countRecords(latest.values(), others);
  const said = checkStatements(checked);
  const dates = datesOf(latest.times(), context.clock.now());
  // A notice is mostly of another record than those of the sentence before.
  const counts =
    error + warning > 0 || notice === 0 ? ` (${countsText({ error, warning, notice: 0 })})` : '';
  const effect = effectText(findings);
  const found = `${said.map((each) => each.text).join('. ')}${counts}${notedText(checked)}`;
  const sentence = effect === '' ? found : `${found}. ${effect}`;
  const corrected = list && {
    name: basename(compared.path),
    ...correctionIn(session, compared.path, { keep, ...list.read }),
  };
  const from = files.map(fileTitle);
  const words =
    comparison?.text ?? 'Names were not compared: --list reads the list that you registered.';
  const report = nextCommands(session, files, options)?.report;
  const about = {
    ...{ sentence: found, dates, isSynthetic: synthetic.size > 0, list: corrected, from },
    ...{
      compared: effect === '' ? words : `${effect}. ${words}`,
      counts: checked,
      missing,
      report,
    },
  };
  // With findings, their table says so.
  const note = findings.length === 0 && synthetic.size > 0 ? ` ${syntheticNote()}.` : '';
  const text = `${sentences([{ text: sentence }], saidDays ? undefined : dates)} ${words}${note}`;
  const summarize = () => {
    const days = sentences([], saidDays ? undefined : dates);
    const when = `${days} ${words}${note}`.trim().replace(/\.$/, '');
    const lines = hasAnswerLines(session)
      ? [
          { text: found },
          ...(effect === '' ? [] : [{ question: 'sure', text: effect } as const]),
          { question: days === '' ? 'sure' : 'when', text: when } as const,
        ]
      : [{ text: text.replace(/\.$/, '') }];
    summarizeAnswers(session, 'result', lines, {
      statements: said,
      ...dates,
      organizations: latest.size,
      errors: error,
      warnings: warning,
      notices: notice,
      list: comparison?.counts,
    });
    printAbout(session, later);
  };
  await showSummarized(session, resultOf(findings, about), { out: target, summarize });
  if (target === undefined && !context.stderr.isTerminal && messages.isForPeople) {
    // The rows have codes.
    for (const [step, rules] of stepsFor(findings, corrected))
      messages.print({ level: 'progress', text: `${[...rules].join(', ')}: ${step}` });
  }
  if (findings.length > 0 && context.stderr.isTerminal) {
    const { adviceOn } = await import('../../../portfolio/checks/advice.ts');
    messages.hint(adviceOn(findings, corrected));
  }
  return error > 0 ? foundErrors : 0;
}

function notedText({ wrong, doubtful, noted }: RecordCounts): string {
  if (noted === 0) return '';
  const others = wrong + doubtful > 0 ? `${count.format(noted)} more` : count.format(noted);
  return `; ${others} ${noted === 1 ? 'has' : 'have'} a notice`;
}

/* Returns the list whose rows belong to the records, if there is one. */
async function listToCompare(
  { context, flags }: Session,
  files: readonly string[],
  { list, map, sheet, encoding, skipLines, keep }: CheckOptions,
): Promise<ListOptions | undefined> {
  const { sandbox } = flags;
  const path = list ?? (await syncedList(files, { keep, sandbox }));
  const table = { map, sheet, encoding, skipLines };
  if (path !== undefined) return { path, ...table, keep, sandbox, signal: context.signal };
  const [useless] = tableWords(table);
  if (useless !== undefined)
    throw new UsageError(`${useless} needs --list`, 'It describes the list that you registered.');
  return undefined;
}

/* The matches of the versions of a synced list, by ID. */
type EarlierMatches = Map<unknown, DatedMatch[]>;

function noteMatch(
  matches: EarlierMatches,
  { id, matching_organization: match }: Organization,
  { validFrom: since }: Pick<RecordSource, 'validFrom'>,
): void {
  if (since !== undefined) matches.set(id, [...(matches.get(id) ?? []), { match, since }]);
}

/* What is kept of a record until all are read. */
type Checked = ReturnType<typeof checkOne>;

/* Checks a record by itself, and against the rows of its organization. */
function checkOne(record: Organization, listed: readonly ListedOrganization[], today: string) {
  const { id, name = null, matching_organization } = record;
  return {
    id,
    name,
    matching_organization,
    found: checkRecord(record, listed, { today }),
    figures: readFigures(record),
    isAlias: isAliasOfListed(record, listed),
    synthetic: isSynthetic(record),
  };
}

/* Compares the records with each other, and returns the findings, the worst first. */
async function judge(latest: LatestRecords<Checked>, matches: EarlierMatches) {
  const shared = new SharedMatches();
  const equal = new EqualFigures();
  const changed: Finding[] = [];
  const synthetic = new Set<unknown>();
  const all = [...latest.values()];
  for (const { id, ...record } of all) {
    if (record.synthetic) synthetic.add(id);
    if (id === undefined || id === null) continue;
    changed.push(...checkChanged({ id, name: record.name }, matches.get(id) ?? []));
    shared.add(id, record, record.isAlias);
    equal.add(id, record.figures);
  }
  const differing = await compareMatches(shared.ids(), latest);
  /* Findings that depend on other records. */
  const others = [...shared.findings(), ...differing, ...equal.findings(), ...changed];
  const findings = bySeverity([...others, ...all.flatMap(({ found }) => found)]).map(
    (finding): ShownFinding => ({ ...finding, synthetic: synthetic.has(finding.id) }),
  );
  return { findings, others, synthetic };
}

interface About extends Omit<CheckOnSheet, 'findings'> {
  readonly dates: ResultDates;
  readonly isSynthetic: boolean;
  /** The files of the records. */
  readonly from: readonly string[];
}

function resultOf(
  findings: readonly ShownFinding[],
  { dates, isSynthetic: synthetic, from, ...about }: About,
): Result<ShownFinding> {
  const table: Table<ShownFinding> = {
    name: 'Findings',
    columns: findingColumns.map((column) =>
      column.name === 'rule' ? { ...column, text: ({ rule }) => ruleWords(rule) } : column,
    ),
    rows: findings,
    idOf: ({ id }) => id,
    synthetic,
  };
  return {
    table,
    async terminal(view) {
      if (findings.length === 0) return '';
      const [{ groupYears, yearNote }, { findingLines }, { wrapWords }] = await Promise.all([
        import('../../../portfolio/checks/finding-years.ts'),
        import('../../../portfolio/checks/finding-text.ts'),
        import('../../../display/terminal/text.ts'),
      ]);
      const { style } = view;
      const columns = layoutColumns(view, 120);
      const rows = groupYears(findings);
      const note = yearNote(rows);
      const lines = [
        ...findingLines(rows, columns, style),
        ...(note === undefined ? [] : wrapWords(note, columns)),
        ...(view.synthetic || synthetic ? wrapWords(syntheticNote(), columns).map(style.bold) : []),
      ];
      return lines.map((line) => `${line}\n`).join('');
    },
    async workbook() {
      const book = await import('../../../portfolio/checks/finding-sheet.ts');
      return {
        table: { ...table, columns: book.findingSheetColumns(about.list) },
        title: `Findings in ${naming(from)}`,
        legend: book.findingLegend(findings),
        summary: () => ({
          isSynthetic: synthetic,
          ...book.checkSummary({ findings, isSynthetic: synthetic, ...about }),
          dates: datesOnSheet(dates),
          emptyCells:
            'An empty cell means that the service has no value. Exceptions: “Compared”, “Found”, “Expected” and “Year” (they do not apply to the finding).',
        }),
      };
    },
  };
}

/* Compares the emissions of the organizations whose match another one has, which are few. */
async function compareMatches(
  ids: ReadonlySet<OrganizationId>,
  latest: LatestRecords<{
    readonly id?: OrganizationId | null | undefined;
    readonly figures: EqualFiguresOf;
  }>,
): Promise<Finding[]> {
  if (ids.size === 0) return [];
  const { MatchFigures } = await import('../../../portfolio/checks/match-figures.ts');
  const matches = new MatchFigures();
  for (const [{ id, figures }, time] of latest.timed())
    if (id !== undefined && id !== null && ids.has(id)) matches.add(id, figures, time);
  return matches.findings();
}

/* Returns the file if it is a list whose records carbon keeps. */
async function syncedList([file, second]: readonly string[], kept: Keeping) {
  if (file === undefined || file === '-' || second !== undefined) return undefined;
  const { chooseKept, findStores } = await import('../../../lists/kept/paths.ts');
  return findStores(file, chooseKept(file, kept)).length > 0 ? file : undefined;
}

/*
 * Reads the rows of a list, to compare them with the records of the organizations that they got.
 * Throws a UsageError as `openOrganizationList` does.
 */
async function readList(options: ListOptions) {
  const { path } = options;
  const { readListedRows } = await import('../../../portfolio/records/listed-rows.ts');
  const {
    kept,
    service: own,
    listed,
    withoutId,
    sheets,
    identifying,
  } = await readListedRows(options);
  return {
    kept,
    read: { service: own, sheets, identifying },
    /* In a record of another service, the id is another organization. */
    rowsOf(record: Organization, { service }: Pick<RecordSource, 'service'>) {
      const isOther =
        service === undefined ? own === 'sandbox' && !isSynthetic(record) : service !== own;
      if (own !== undefined && isOther)
        throw invalidInput(
          `${path} was registered with ${own}, but the records are from ${service ?? 'another service'}`,
          'Use the records of the service that registered the list, or --keep to choose the directory of its journal.',
        );
      return [...(listed.get(comparableId(record.id ?? ''))?.different.values() ?? [])];
    },
    /* Counts what the list has in common with the records of these organizations. */
    compare(ids: ReadonlySet<unknown>) {
      const found = [...listed].filter(([id]) => ids.has(id)).map(([, known]) => known);
      const rowsOf = (all: Iterable<{ rows: number }>) =>
        [...all].reduce((sum, known) => sum + known.rows, 0);
      const counts = {
        rows: rowsOf(found),
        without_id: withoutId,
        without_record: rowsOf(listed.values()) - rowsOf(found),
        /** Records of organizations that are not in the list. */
        unlisted: ids.size - found.length,
      };
      if (counts.rows === 0)
        throw invalidInput(
          `${path}: no row belongs to a record`,
          `Use the records of the organizations in the list. To register its rows: carbon batch ${path}`,
        );
      const gaps = [
        [withoutId, 'row', 'without an ID'] as const,
        [counts.without_record, 'row', 'without a record'] as const,
        [counts.unlisted, 'record', 'without a row'] as const,
      ].flatMap(([number, noun, what]) => (number > 0 ? `${plural(number, noun)} ${what}` : []));
      const missing = gaps.length > 0 ? ` Not compared: ${gaps.join(', ')}.` : '';
      return { counts, text: `Compared with ${plural(counts.rows, 'row')} of ${path}.${missing}` };
    },
  };
}
