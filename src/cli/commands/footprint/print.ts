import type { Footprint } from '../../../footprint/calculation/footprint.ts';
import { thisMachine } from '../../../runtime/machine.ts';
import { plural } from '../../../terminal/format.ts';
import type { Session } from '../../session.ts';

/**
 * Prints a footprint in the format of the session, and writes the page or workbook of `--out`.
 * @throws LocalError when writing fails
 */
export async function printFootprint(
  session: Session,
  footprint: Footprint,
  out: string | undefined,
): Promise<void> {
  if (session.format === 'csv') return printCsv(session, footprint);
  if (out !== undefined) await writeFootprint(session, footprint, out);
  if (session.format === 'json') return printJson(session, footprint);
  if (out === undefined) await printSummary(session, footprint);
}

async function printCsv(session: Session, footprint: Footprint): Promise<void> {
  const views = await import('../../../footprint/views/register-columns.ts');
  const csv = await session.csv();
  csv.writeText(views.renderRegisterHeader(csv.format));
  await printLines(session, footprint.rows(), (row) => views.renderRegisterRow(row, csv.format));
}

async function printJson(session: Session, footprint: Footprint): Promise<void> {
  if (session.view.terminal) {
    for (const row of footprint.rows()) session.printJson(JSON.stringify(row));
  } else await printLines(session, footprint.rows(), (row) => `${JSON.stringify(row)}\n`);
  session.printJson(JSON.stringify({ summary: footprint.summary() }));
}

const chunkLength = 32 * 1024;

/* Writes many lines at once: a system call for each would take longer than the calculation. */
async function printLines<Item>(
  session: Session,
  items: Iterable<Item>,
  render: (item: Item) => string,
): Promise<void> {
  let text = '';
  for (const item of items) {
    text += render(item);
    if (text.length < chunkLength) continue;
    session.print(text);
    text = '';
    await session.context.stdout.drained;
  }
  session.print(text);
}

async function printSummary(session: Session, footprint: Footprint): Promise<void> {
  const { renderFootprint } = await import('../../../footprint/views/terminal/footprint.ts');
  session.print(renderFootprint(footprint.summary(), footprint.rows(), session.view));
}

async function writeFootprint(session: Session, footprint: Footprint, out: string): Promise<void> {
  const { isWorkbookPath, writeWorkbookFile } = await import('../../output/workbook-file.ts');
  if (isWorkbookPath(out)) {
    const { footprintSheets } = await import('../../../footprint/views/workbook.ts');
    const { suppliers } = footprint.summary();
    const sheets = footprintSheets(footprint.summary(), footprint.rows());
    return writeWorkbookFile(session, out, sheets, () => ({
      text: plural(suppliers, 'supplier'),
      event: { suppliers },
    }));
  }
  const { renderFootprintPage } = await import('../../../footprint/views/html/page.ts');
  const summary = footprint.summary();
  const page = renderFootprintPage(summary, footprint.rows());
  const { writePage } = await import('../../../page/write-page.ts');
  await writePage(out, page, thisMachine(session.context.process.id));
  const { suppliers } = summary;
  session.messages.print({
    level: 'progress',
    text: `Wrote ${out} (${plural(suppliers, 'supplier')})`,
    event: { event: 'written', file: out, suppliers },
  });
}
