import type { Footprint } from '../../../footprint/calculation/footprint.ts';
import { thisMachine } from '../../../runtime/machine.ts';
import { plural } from '../../../terminal/format.ts';
import type { Session } from '../../session.ts';

/**
 * Prints a footprint in the format of the session, and writes the page of `--out`.
 * @throws LocalError when writing the page fails
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
  session.print(views.renderRegisterHeader());
  for (const row of footprint.rows()) {
    session.print(views.renderRegisterRow(row));
    await session.context.stdout.drained;
  }
}

async function printJson(session: Session, footprint: Footprint): Promise<void> {
  const views = await import('../../../footprint/views/json-lines.ts');
  for (const row of footprint.rows()) {
    session.printJson(views.jsonRow(row));
    await session.context.stdout.drained;
  }
  session.printJson(views.jsonSummary(footprint.summary()));
}

async function printSummary(session: Session, footprint: Footprint): Promise<void> {
  const { renderFootprint } = await import('../../../footprint/views/terminal/footprint.ts');
  session.print(renderFootprint(footprint.summary(), footprint.rows(), session.view));
}

async function writeFootprint(session: Session, footprint: Footprint, out: string): Promise<void> {
  const { renderFootprintPage } = await import('../../../footprint/views/html/page.ts');
  const summary = footprint.summary();
  const page = renderFootprintPage(summary, footprint.rows());
  const { writePage } = await import('../../../report/html/write-page.ts');
  await writePage(out, page, thisMachine(session.context.process.id));
  if (session.flags.progress === false) return;
  const { suppliers } = summary;
  session.messages.note(`Wrote ${out} (${plural(suppliers, 'supplier')})`, {
    event: 'written',
    file: out,
    suppliers,
  });
}
