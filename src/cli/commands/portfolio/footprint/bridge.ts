/* `carbon footprint --compare` and `--since`: why a footprint differs from an earlier one. */
import { readFile } from 'node:fs/promises';
import { naming } from '../../../../display/terminal/format.ts';
import type { SpendInput } from '../../../../portfolio/footprint/spend/spend-file.ts';
import { throwUnreadable } from '../../../../runtime/unreadable-file.ts';
import type { OutFile } from '../../../output/out-file.ts';
import { show } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import { matchNotice, mayBeOwnIds } from './notices.ts';
import type { FootprintFlags } from './options.ts';
import { calculate, isBrief, printNotices } from './read-input.ts';

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
  // The view ends with what to do next.
  if (!isBrief(session, options) || mayBeOwnIds(summary))
    printNotices(session, options, matchNotice(summary));
  session.messages.release();
  const views = await import('../../../../portfolio/footprint/views/bridge.ts');
  const words = await import('../../../../portfolio/footprint/views/bridge-words.ts');
  function* lines() {
    yield* views.comparedRows(comparison);
    yield { summary: { ...summary, ...views.bridgeMembers(comparison, summary) } };
  }
  await show(
    session,
    {
      json: lines(),
      terminal: (view) => views.renderBridge(comparison, summary, view, options.full),
      text: () => views.renderPlainBridge(comparison, summary),
      table: () => ({
        name: 'Changes',
        columns: views.comparedColumns,
        rows: views.comparedRows(comparison),
      }),
      async page() {
        const { renderBridgePage } = await import(
          '../../../../portfolio/footprint/views/bridge-page.ts'
        );
        const html = renderBridgePage(comparison, summary, options.title);
        return { html, size: summary.suppliers, noun: 'supplier' };
      },
      async workbook() {
        const content = await views.comparedSheet(comparison, summary.unit);
        const contacts = new Map(
          now.result.entries.map(({ group: { member, record } }) => [member.id, record?.contact]),
        );
        return {
          ...content,
          name: 'Changes',
          title: `${words.titleOf(comparison)} · ${naming([...summary.method.files])}`,
          sheets: views.bridgeSheets(comparison, summary, (id) => contacts.get(id)),
          summary: () => views.bridgeSummary(comparison, summary),
        };
      },
    },
    target,
  );
  return summary.line_items === summary.covered_line_items ? 0 : 9;
}
