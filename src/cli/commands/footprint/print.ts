import type { Footprint } from '../../../footprint/footprint.ts';
import {
  lineItemColumns,
  renderItem,
  renderItemHeader,
} from '../../../footprint/views/line-item-columns.ts';
import { plural } from '../../../terminal/format.ts';
import type { OutFile } from '../../output/out-file.ts';
import type { Session } from '../../session.ts';

/**
 * Prints a footprint in the format of the session, or writes the file of `-o`.
 * @throws LocalError when writing fails
 */
export async function printFootprint(
  session: Session,
  footprint: Footprint,
  target: OutFile | undefined,
): Promise<void> {
  const { summary } = footprint;
  if (target !== undefined) return writeFootprint(footprint, target);
  if (session.format === 'csv') {
    session.print(renderItemHeader());
    return printLines(session, footprint.items(), renderItem);
  }
  if (session.format === 'json') {
    if (session.view.terminal) {
      for (const item of footprint.items()) session.printJson(JSON.stringify(item));
    } else await printLines(session, footprint.items(), (item) => `${JSON.stringify(item)}\n`);
    return session.printJson(JSON.stringify({ summary }));
  }
  const { renderFootprint } = await import('../../../footprint/views/terminal.ts');
  session.print(renderFootprint(summary, footprint.items(), session.view));
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

async function writeFootprint({ summary, items }: Footprint, target: OutFile): Promise<void> {
  if (target.extension === '.html') {
    const { renderFootprintPage } = await import('../../../footprint/views/page.ts');
    return target.writePage(renderFootprintPage(summary, items()), summary.suppliers);
  }
  const { footprintSheets } = await import('../../../footprint/views/workbook.ts');
  const rows = (function* () {
    for (const item of items()) yield lineItemColumns.map(({ value }) => value(item));
  })();
  const columns = lineItemColumns.map(({ name }) => name);
  await target.writeTable({ name: 'Line items', columns, rows }, footprintSheets(summary));
}

/* A command lists at most this many ids, so that people can read it. */
const maxListedIds = 20;

/**
 * Reports the suppliers whose research is in progress, and the command that follows it.
 * @param hasSnapshots whether the records come from `--records`
 */
export function reportResearch(
  session: Session,
  { summary, items }: Footprint,
  hasSnapshots: boolean,
): void {
  if (session.flags.progress === false) return;
  if (summary.uncovered.in_progress === undefined) return;
  const ids = new Set<string>();
  for (const { uncovered, id } of items())
    if (uncovered === 'in_progress' && id !== null) ids.add(String(id));
  if (ids.size === 0) return;
  const command =
    ids.size > maxListedIds
      ? undefined
      : session.commandLine('watch', ...ids) + (hasSnapshots ? ' --json > new.ndjson' : '');
  const then = hasSnapshots ? 'add --records new.ndjson' : 'run this command again';
  const how = command ?? 'carbon watch with the IDs of the line items';
  session.messages.print({
    level: 'progress',
    text: `Research on ${plural(ids.size, 'supplier')} is in progress. Follow it, then ${then}: ${how}`,
    event: { event: 'pending', ids: [...ids], command },
  });
}
