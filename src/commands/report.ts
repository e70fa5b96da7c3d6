import { basename } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { type Entry, readEntry } from '../report/entry.ts';
import type { Summary } from '../report/summary.ts';
import type { Session } from '../session/session.ts';
import { readRecords, requireRecords } from '../session/snapshot.ts';
import type { Run } from './run.ts';

interface ReportOptions {
  readonly out?: string;
}

const howItWorks = `
Several files are one portfolio; the latest record of an id wins. Lines without
a record are counted and said. --json prints the summary, --csv a row for each
organization, with the columns of carbon get --csv.

The page stands alone: no network, no other file. It shows at most 10,000
organizations in its table, the largest emitters first.`;

/** Declares `carbon report`: flags and help. The work is in `report`. */
export function addReport(program: Command, run: Run): Command {
  return program
    .command('report')
    .description('Summarize a portfolio in the terminal, or on one HTML page')
    .argument('<file...>', 'records as get, watch and batch --json print them, or - for standard input')
    .option('--out <file>', 'write the report as one HTML page that needs nothing else')
    .addHelpText('after', howItWorks)
    .action((files: string[], options: ReportOptions, command: Command) =>
      run(command, ['human', 'json', 'csv'], (session) => report(session, files, options)),
    );
}

async function report(session: Session, files: readonly string[], { out }: ReportOptions): Promise<number> {
  if (session.format === 'csv') {
    if (out !== undefined) throw new UsageError('--csv prints a table; --out writes a page');
    return printCsv(session, files);
  }
  if (out !== undefined) await (await import('../report/page-file.ts')).checkTarget(out, files);
  const snapshot = await readRecords(session, files, (record) => readEntry(record, out !== undefined));
  requireRecords(snapshot, files);
  const { summarize } = await import('../report/summary.ts');
  const summary = summarize(snapshot);
  const entries = [...snapshot.organizations.values()];
  if (out !== undefined) await writeReport(session, out, summary, { files, entries });
  if (session.format === 'json') session.printJson(JSON.stringify(summary));
  else if (out === undefined) await printSummary(session, summary);
  return 0;
}

async function printSummary(session: Session, summary: Summary): Promise<void> {
  const { renderSummary } = await import('../report/summary-view.ts');
  session.print(renderSummary(summary, session.view));
}

async function writeReport(
  session: Session,
  out: string,
  summary: Summary,
  { files, entries }: { files: readonly string[]; entries: readonly Entry[] },
): Promise<void> {
  const { context, flags } = session;
  const { renderPage } = await import('../report/page.ts');
  const from = files.map((file) => (file === '-' ? 'standard input' : basename(file)));
  const page = renderPage(summary, entries, { at: context.clock.now(), from });
  const { writePage } = await import('../report/page-file.ts');
  await writePage(out, page);
  const { organizations } = summary;
  const many = `${organizations.toLocaleString('en')} ${organizations === 1 ? 'organization' : 'organizations'}`;
  if (flags.progress !== false)
    session.messages.note(`Wrote ${out} (${many})`, { event: 'written', file: out, organizations });
}

async function printCsv(session: Session, files: readonly string[]): Promise<number> {
  const { renderCsvRow } = await import('../render/csv.ts');
  // As bytes, a row takes a fifth of what the string with its parts does.
  const snapshot = await readRecords(session, files, (record) => Buffer.from(renderCsvRow(record)));
  requireRecords(snapshot, files);
  await session.printCsv();
  for (const row of snapshot.organizations.values()) {
    session.print(row.toString());
    await session.context.stdout.drained;
  }
  return 0;
}
