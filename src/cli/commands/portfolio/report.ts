import { basename } from 'node:path';
import type { Organization } from '../../../client/api/schema.ts';
import { naming } from '../../../display/terminal/format.ts';
import { listedNames } from '../../../portfolio/organizations/matches.ts';
import type { Kept } from '../../../portfolio/organizations/tables.ts';
import { checkPast, datesOf } from '../../../portfolio/records/dates.ts';
import type { RowOfList } from '../../../portfolio/records/listed-rows.ts';
import type { RecordSource } from '../../../portfolio/records/records.ts';
import type { ReportedLists } from '../../../portfolio/report/answers.ts';
import type { ReportDocument } from '../../../portfolio/report/document.ts';
import type { Entry } from '../../../portfolio/report/entry.ts';
import { dayAt } from '../../../runtime/clock.ts';
import { command, hint } from '../../../runtime/hint.ts';
import { fileTitle } from '../../input-table.ts';
import { nextCommands } from '../../next-commands.ts';
import {
  atOption,
  type CommandDeclaration,
  keepOption,
  type OptionGroups,
  type OptionValues,
  outOption,
  recordCurrencyOption,
  recordFiles,
  sheetOption,
  titleOption,
  unitOption,
} from '../../options.ts';
import type { OutFile } from '../../output/out-file.ts';
import { checkTitle, isForm, openOut, show } from '../../output/show.ts';
import { correctionIn, readLatest, readRowsOfLists } from '../../read-snapshot.ts';
import type { Session } from '../../session.ts';

const howItWorks = `
carbon report works offline. Several files form one portfolio. If an ID occurs
more than once, the record retrieved last is used.

--json prints the summary, and --csv a row for each organization; a workbook
of -o has both. To report on a selection, pipe carbon list --json into
carbon report -.

The page opens offline and needs no other file. Its table has at most 10,000
organizations, the largest emitters first.

Which unit the records are in: docs/faq.md (carbon help docs).

Exit codes: 0 shown, 1 or 2 failure.`;

const options = {
  Options: [
    outOption(['.html', '.xlsx'], '.html for a page, .xlsx for a workbook'),
    unitOption,
    { flags: '--full', description: 'show every step and table' },
    titleOption,
    recordCurrencyOption,
    sheetOption,
    atOption,
    keepOption,
  ],
} as const satisfies OptionGroups;

type ReportOptions = OptionValues<typeof options>;

/** `carbon report` */
export const reportCommand: CommandDeclaration<typeof options> = {
  name: 'report',
  group: 'Portfolio',
  summary: 'Summarize a portfolio in the terminal or on an HTML page',
  arguments: [recordFiles],
  options,
  examples: [
    'carbon report suppliers.xlsx',
    'carbon report suppliers.xlsx -o report.html',
    'carbon list suppliers.xlsx --where hq_region=DE --json | carbon report -',
  ],
  notes: howItWorks,
  formats: ['human', 'json', 'csv'],
  service: ['--sandbox'],
  missing: [
    'a file',
    hint`Try ${command`report suppliers.csv`}, or ${command`report -`} to read standard input.`,
  ],
  run: report,
};

async function report(
  session: Session,
  files: readonly string[],
  options: ReportOptions,
): Promise<number> {
  const { out, unit, full, title, at: day, ...view } = options;
  checkPast(session.context.clock, '--at', day);
  const file = await openOut(session, out, { extensions: ['.html', '.xlsx'], inputs: files });
  checkTitle(title, file);
  if (isForm(session, 'csv', file)) {
    const { listRecords } = await import('./list.ts');
    await listRecords(session, files, { out: file?.path, at: day, unit, ...view });
    return 0;
  }
  const found = await readReport(session, files, file, options);
  const { document, organizations, times, reported, from } = found;
  await show(
    session,
    {
      document: isForm(session, 'json', file) ? await withAnswers(document, reported) : document,
      async terminal(view) {
        const { renderSummary } = await import('../../../portfolio/report/text.ts');
        return renderSummary(document, view, full, reported);
      },
      async text() {
        const { renderPlainSummary } = await import('../../../portfolio/report/text.ts');
        return renderPlainSummary(document, full, reported);
      },
      async page() {
        const [{ renderPage }, { rankEmitters }] = await Promise.all([
          import('../../../portfolio/report/page.ts'),
          import('../../../portfolio/report/asks.ts'),
        ]);
        const emitters = rankEmitters(times.keys());
        const { members, services, missing } = found;
        const about = { ...reported, from, services, missing, title };
        const html = renderPage(document, { emitters, members, ...about });
        return { html, size: found.size };
      },
      async workbook() {
        if (organizations === undefined) return undefined;
        const [{ reportSheets, reportSummary }, { rankEmitters }] = await Promise.all([
          import('../../../portfolio/report/workbook.ts'),
          import('../../../portfolio/report/asks.ts'),
        ]);
        const ranked = rankEmitters(times.keys());
        const { sheets = [], ...content } = await organizations.content(ranked, unit);
        return {
          ...content,
          title: `Climate report on ${naming(from)}`,
          sheets: [...reportSheets(document), ...sheets],
          summary: () => reportSummary(document, reported, found.missing),
        };
      },
    },
    file,
  );
  return 0;
}

/* Reads the records, and what a report says of them in every form. */
async function readReport(
  session: Session,
  files: readonly string[],
  file: OutFile | undefined,
  { unit, at: day, keep, currency, sheet }: ReportOptions,
) {
  const [{ summarizePortfolio }, { readEntry }, { findDoubts }, { documentOf }] = await Promise.all(
    [
      import('../../../portfolio/report/summary.ts'),
      import('../../../portfolio/report/entry.ts'),
      import('../../../portfolio/report/doubts.ts'),
      import('../../../portfolio/report/document.ts'),
    ],
  );
  const at = session.context.clock.now();
  const today = dayAt(at);
  const view = { keep, currency, sheet };
  const { rowsOf, lists, warnings } = await readRowsOfLists(session, files, view);
  const organizations = isForm(session, 'workbook', file)
    ? await openOrganizations(session, file)
    : undefined;
  const read = (record: Organization, source: RecordSource) => {
    const rows = rowsOf?.(record, source);
    const when = { today, asOf: day ?? today, retrievedAt: source.retrievedAt ?? null };
    const entry = readEntry(record, when, rows && listedNames(record, rows), linesOf(rows));
    organizations?.keep(entry, record, source);
    return entry;
  };
  let hasMatchStep = false;
  const { latest, counts, missing, missingRows } = await readLatest(session, files, read, {
    at: day,
    out: file,
    saysDays: isForm(session, 'terminal', file),
    // The workbook has the records as well.
    hasNoMoney: organizations === undefined && currency === undefined,
    saysRejected: (areNotFound) => areNotFound && hasMatchStep,
    ...view,
  });
  for (const warning of warnings) session.messages.warn(warning);
  const times = new Map(latest.timed());
  const doubts = await findDoubts(times.keys());
  const [path = '-'] = files;
  const [own] = lists;
  const list =
    files.length === 1 && own !== undefined
      ? { name: basename(path), ...correctionIn(session, path, { keep, ...own }) }
      : undefined;
  const { summary, members } = summarizePortfolio({ times, counts, doubts, list }, unit);
  const document = documentOf(summary, datesOf(times.values(), at, day));
  hasMatchStep = summary.ask.some(({ why }) => why === 'unmatched');
  const reported = {
    list: list?.name,
    check: nextCommands(session, files, view)?.check,
    missingRows,
  };
  return {
    document,
    members,
    reported,
    missing,
    organizations,
    times,
    size: latest.size,
    from: files.map(fileTitle),
    services: lists.flatMap(({ service }) => service ?? []),
  };
}

/* Adds the sentences of the screen, which say what nobody may quote, and what to do first. */
async function withAnswers(document: ReportDocument, reported: ReportedLists): Promise<object> {
  const [{ answerSentences }, { reportAnswers }] = await Promise.all([
    import('../../../display/terminal/answers.ts'),
    import('../../../portfolio/report/answers.ts'),
  ]);
  const { statements, ...others } = document;
  return { statements, answers: answerSentences(reportAnswers(document, reported)), ...others };
}

function linesOf(rows: readonly RowOfList[] | undefined): readonly number[] | undefined {
  return rows?.flatMap(({ lines }) => lines).sort((a, b) => a - b);
}

/* Returns what keeps the rows of the organizations for a workbook. */
async function openOrganizations(session: Session, out: OutFile | undefined) {
  const [{ usualShape }, { recordSheets }, tables, { yearOfEmissions }, { countFigureYears }] =
    await Promise.all([
      import('../../output/record-shapes.ts'),
      import('../../output/record-sheets.ts'),
      import('../../../portfolio/organizations/tables.ts'),
      import('../../../portfolio/organizations/history.ts'),
      import('../../../portfolio/organizations/statements.ts'),
    ]);
  const { organizationRow, organizationTable: table, keep, keptColumns } = tables;
  const shape = usualShape(session, table, out);
  const rows = new WeakMap<Entry, Kept>();
  return {
    keep(entry: Entry, record: Organization, source: RecordSource) {
      const row = organizationRow(record);
      rows.set(entry, keep(shape, row, source, { year: yearOfEmissions(row.performance) }));
    },
    /** @param entries those of the latest records */
    content(entries: readonly Entry[], unit: string | null = null) {
      const latest = entries.flatMap((entry) => rows.get(entry) ?? []);
      return recordSheets(
        {
          ...{ name: table.sheet, columns: keptColumns(shape.columns), isUsual: true, unit },
          figureYears: countFigureYears(latest.flatMap(({ year }) => year ?? [])),
        },
        shape,
        latest,
      );
    },
  };
}
