/* `carbon footprint --compare` and `--since`: why a footprint differs from an earlier one. */
import { readFile } from 'node:fs/promises';
import type { SpendInput } from '../../../../portfolio/footprint/spend/spend-file.ts';
import { throwUnreadable } from '../../../../runtime/carbon-error.ts';
import type { OutFile } from '../../../output/out-file.ts';
import { emit } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import { matchNotice } from './notices.ts';
import { calculate, type FootprintFlags, isBrief } from './read-input.ts';

/**
 * Shows the difference to an earlier year, and to earlier records, and returns the exit code of a
 * footprint: 0 if all line items are covered, otherwise 9.
 * @throws UsageError as `compareFootprints` does
 */
export async function showBridge(
  session: Session,
  input: SpendInput,
  options: FootprintFlags,
  target: OutFile | undefined,
): Promise<number> {
  const { compareFootprints } = await import('../../../../portfolio/footprint/compare.ts');
  const { comparison, now } = await compareFootprints(
    input.name,
    options,
    (reading) => calculate(session, input, options, reading),
    (path) => readFile(path).catch((cause) => throwUnreadable(path, cause)),
  );
  const { summary } = now.result;
  const views = await import('../../../../portfolio/footprint/views/bridge.ts');
  if (target === undefined && session.format === 'human')
    session.print(await views.renderBridge(comparison, summary, session.view, options.full));
  else if (target?.extension === '.html') {
    const { renderBridgePage } = await import(
      '../../../../portfolio/footprint/views/bridge-page.ts'
    );
    const page = renderBridgePage(comparison, summary, options.title);
    await target.writePage(page, summary.suppliers, 'supplier');
  } else {
    const sheets = target?.extension === '.xlsx' ? views.bridgeSheets(comparison, summary) : [];
    const table = {
      name: 'Changes',
      title: views.titleOf(comparison),
      columns: views.comparedColumns,
      sheets,
      summary: () => views.bridgeSummary(comparison, summary),
    };
    await emit(session, table, views.comparedRows(comparison), target);
    if (session.format === 'json') {
      const members = views.bridgeMembers(comparison, summary.unit);
      session.printJson(JSON.stringify({ summary: { ...summary, ...members } }));
    }
  }
  const isCovered = summary.line_items === summary.covered_line_items;
  if (!isBrief(session, options) || !isCovered) session.messages.print(matchNotice(summary));
  return isCovered ? 0 : 9;
}
