import { basename } from 'node:path';
import type { Command } from 'commander';
import type { RankedEmitter } from '../../../report/summary/top-emitters.ts';
import type { Summary } from '../../../report/summary.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { thisMachine } from '../../../runtime/machine.ts';
import { plural } from '../../../terminal/format.ts';
import { addQueryOptions, hasQuery, type QueryOptions } from '../../option-parsers.ts';
import { readLatest } from '../../read-snapshot.ts';
import type { Run, Session } from '../../session.ts';

interface ReportOptions extends QueryOptions {
  readonly out?: string;
  readonly title?: string;
}

const howItWorks = `
Several files form one portfolio. If an id occurs more than once, carbon uses
its latest record. The report states how many lines contain no record.

--json prints the summary. --csv prints one row for each organization, with the
columns of carbon get --csv; a workbook has the same rows. Only these two accept
the options that select.

The HTML page of --out needs no network and no other file. Its table shows at
most 10,000 organizations, the largest emitters first.`;

/** Declares `carbon report`: options and help. The work is in `report`. */
export function addReport(program: Command, run: Run): Command {
  const command = program
    .command('report')
    .description('Summarize a portfolio in the terminal or on an HTML page')
    .argument('<file...>', 'records from get, watch or batch --json, or - to read standard input')
    .option(
      '--out <file>',
      'write the report as a self-contained HTML page, or the organizations as a workbook (.xlsx)',
    )
    .option('--title <text>', 'title of the page (default: Climate portfolio report)');
  return addQueryOptions(command)
    .addHelpText('after', howItWorks)
    .action((files: string[], options: ReportOptions, command: Command) =>
      run(command, ['human', 'json', 'csv'], (session) => report(session, files, options)),
    );
}

async function report(
  session: Session,
  files: readonly string[],
  options: ReportOptions,
): Promise<number> {
  const { out, title } = options;
  if (title !== undefined && out === undefined)
    throw new UsageError('--title needs --out', 'Name the page: --out report.html.');
  if (out !== undefined && (await isWorkbook(session, out, files))) {
    if (title !== undefined)
      throw new UsageError('--title applies to a page, not to a workbook', 'Remove --title.');
    const { writeSnapshotWorkbook } = await import('../../selection/snapshot-workbook.ts');
    await writeSnapshotWorkbook(session, files, out, options);
    return 0;
  }
  if (hasQuery(options) && session.format !== 'csv')
    throw new UsageError(
      '--columns, --where, --sort and --top need --csv or a workbook',
      'Use `carbon list` for a table, or pipe `carbon list --json` to `carbon report -`.',
    );
  if (session.format === 'csv') await printCsv(session, files, options);
  else await summarize(session, files, { out, title });
  return 0;
}

/* Checks the path of --out. Returns whether it is a workbook, not a page. */
async function isWorkbook(
  session: Session,
  out: string,
  files: readonly string[],
): Promise<boolean> {
  const { checkOut, isWorkbookPath } = await import('../../output/workbook-file.ts');
  await checkOut(session, out, files, { isOnlyWorkbook: false, example: 'report.html' });
  return isWorkbookPath(out);
}

async function summarize(
  session: Session,
  files: readonly string[],
  { out, title }: { readonly out: string | undefined; readonly title: string | undefined },
): Promise<void> {
  const isPage = out !== undefined;
  const maxRows = isPage ? (await import('../../../page/searchable-table.ts')).maxRows : undefined;
  const [{ summarizePortfolio }, { readEntry }] = await Promise.all([
    import('../../../report/portfolio.ts'),
    import('../../../report/summary/digest.ts'),
  ]);
  const { latest, counts } = await readLatest(session, files, (record) =>
    readEntry(record, isPage),
  );
  const { summary, emitters } = summarizePortfolio(latest.values(), counts, maxRows);
  if (isPage) await writeReport(session, out, summary, { files, emitters, title });
  if (session.format === 'json') session.printJson(JSON.stringify(summary));
  else if (!isPage) await printSummary(session, summary);
}

async function printSummary(session: Session, summary: Summary): Promise<void> {
  const { renderSummary } = await import('../../../report/terminal/summary.ts');
  session.print(renderSummary(summary, session.view));
}

interface PageInput {
  readonly files: readonly string[];
  readonly emitters: readonly RankedEmitter[];
  readonly title: string | undefined;
}

async function writeReport(
  session: Session,
  out: string,
  summary: Summary,
  { files, emitters, title }: PageInput,
): Promise<void> {
  const { context } = session;
  const { renderPage } = await import('../../../report/html/page.ts');
  const from = files.map((file) => (file === '-' ? 'standard input' : basename(file)));
  const page = renderPage(summary, emitters, { at: context.clock.now(), from, title });
  const { writePage } = await import('../../../page/write-page.ts');
  await writePage(out, page, thisMachine(context.process.id));
  const { organizations } = summary;
  const many = plural(organizations, 'organization');
  session.messages.print({
    level: 'progress',
    text: `Wrote ${out} (${many})`,
    event: { event: 'written', file: out, organizations },
  });
}

async function printCsv(
  session: Session,
  files: readonly string[],
  query: QueryOptions,
): Promise<void> {
  const { selectLatest } = await import('../../selection/select-latest.ts');
  await selectLatest(session, files, query);
}
