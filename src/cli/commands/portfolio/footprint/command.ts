import { answerSentences } from '../../../../display/terminal/answers.ts';
import { naming } from '../../../../display/terminal/format.ts';
import { spool } from '../../../../lists/table/input-file.ts';
import { ruleWords } from '../../../../portfolio/checks/check-records.ts';
import type { calculateFootprint, LineItem } from '../../../../portfolio/footprint/footprint.ts';
import type { SpendInput } from '../../../../portfolio/footprint/spend/spend-file.ts';
import { statements } from '../../../../portfolio/footprint/statements.ts';
import { answersOf } from '../../../../portfolio/footprint/views/answers.ts';
import { renderPlainFootprint } from '../../../../portfolio/footprint/views/tables.ts';
import { checkDays } from '../../../../portfolio/records/dates.ts';
import { UsageError } from '../../../../runtime/carbon-error.ts';
import { command, hint } from '../../../../runtime/hint.ts';
import { type CommandDeclaration, readCurrency } from '../../../options.ts';
import type { OutFile } from '../../../output/out-file.ts';
import { checkTitle, openOut, type Result, show } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import { matchNotice, mayBeOwnIds } from './notices.ts';
import { type FootprintFlags, footprintOptions } from './options.ts';
import { calculate, isBrief, printNotices } from './read-input.ts';

const howItWorks = `
First retrieve the records, in each currency of your spend: carbon sync <file>
--currency EUR. Emissions are the spend times the supplier's factor. Line items
without a factor are listed, and never count as 0.

Exit codes: 0 all line items have emissions, 1 or 2 failure, 9 some have none;
with --goal, 0 reached, 10 not. More: docs/footprint.md (carbon help docs)`;

/** `carbon footprint` */
export const footprintCommand: CommandDeclaration<typeof footprintOptions> = {
  name: 'footprint',
  group: 'Portfolio',
  summary: "Calculate emissions of purchases and track suppliers' targets",
  arguments: [
    {
      term: '<file>',
      description: 'CSV file or .xlsx workbook with suppliers and spend, or -',
    },
  ],
  options: footprintOptions,
  examples: [
    'carbon footprint purchases.xlsx -o footprint.html',
    'carbon footprint purchases.csv --spend-currency EUR --records suppliers.xlsx',
    'carbon footprint purchases.xlsx --rows BlArt=KR --year 2024 --csv > items.csv',
    'carbon footprint purchases.xlsx --goal "67% by 2028"',
    'carbon footprint purchases.csv --compare 2023',
  ],
  notes: howItWorks,
  formats: ['human', 'json', 'csv'],
  service: ['--sandbox'],
  missing: [
    'a file',
    hint`Try ${command`footprint purchases.csv`}, or ${command`footprint -`} to read standard input.`,
  ],
  run: (session, [file = ''], options) => footprint(session, file, options),
};

async function footprint(session: Session, file: string, flags: FootprintFlags): Promise<number> {
  const { records = [], out, spendCurrency } = flags;
  const inputs = [file, ...records];
  if (inputs.filter((path) => path === '-').length > 1)
    throw new UsageError('Standard input can be read only once, but - was given twice');
  const target = await openOut(session, out, { extensions: ['.html', '.xlsx', '.csv'], inputs });
  checkTitle(flags.title, target);
  const options = {
    ...flags,
    spendCurrency:
      spendCurrency && (await readCurrency(session, spendCurrency, '--spend-currency')),
  };
  const { context } = session;
  const spooled = file === '-' ? await spool(context.stdin, context.signal) : undefined;
  const source =
    spooled === undefined
      ? { path: file, name: file }
      : { path: spooled.path, name: 'standard input', file: spooled.handle };
  // A failure may make them irrelevant.
  session.messages.hold();
  try {
    return await footprintOf(session, { ...source, signal: context.signal }, options, target);
  } catch (error) {
    session.messages.drop();
    throw error;
  } finally {
    await spooled?.close();
  }
}

async function footprintOf(
  session: Session,
  input: SpendInput,
  options: FootprintFlags,
  target: OutFile | undefined,
): Promise<number> {
  const { goal, compare, since } = options;
  checkDays(session.context.clock, options);
  if (goal !== undefined) {
    if (compare !== undefined)
      throw new UsageError(
        '--goal and --compare answer different questions',
        'Run the command once for each.',
      );
    const { showGoal } = await import('./goal.ts');
    return showGoal(session, input, { ...options, goal }, target);
  }
  if (compare !== undefined || since !== undefined) {
    const { showBridge } = await import('./bridge.ts');
    return showBridge(session, input, options, target);
  }
  const { result } = await calculate(session, input, options, { hasEarlier: true });
  const { summary } = result;
  if (!isBrief(session, options) || mayBeOwnIds(summary))
    printNotices(session, options, matchNotice(summary));
  session.messages.release();
  await output(session, result, target, options);
  if (summary.line_items === summary.covered_line_items) return 0;
  session.messages.printDeferred();
  return 9;
}

async function output(
  session: Session,
  { summary, items }: ReturnType<typeof calculateFootprint>,
  target: OutFile | undefined,
  { title, full }: FootprintFlags,
): Promise<void> {
  const without = ['--out', '--overwrite', '--full'];
  const commandWith = (add: readonly string[]) => session.again({ add, without });
  const views = () => import('../../../../portfolio/footprint/views/workbook.ts');
  function* lines() {
    yield* items();
    const answers = answerSentences(answersOf(summary, commandWith));
    yield { summary: { statements: statements(summary), answers, ...summary } };
  }
  const result: Result<LineItem> = {
    json: lines(),
    async terminal(view) {
      const { renderFootprint } = await import('../../../../portfolio/footprint/views/terminal.ts');
      return renderFootprint(summary, items(), view, full);
    },
    text: () => renderPlainFootprint(summary, items()),
    async page() {
      const { renderFootprintPage } = await import('../../../../portfolio/footprint/views/page.ts');
      const html = renderFootprintPage(summary, items(ruleWords), title, commandWith);
      return { html, size: summary.suppliers, noun: 'supplier' };
    },
    async table() {
      const { lineItemColumns } = await views();
      return { name: 'Line items', columns: lineItemColumns, rows: items() };
    },
    async workbook() {
      const { footprintSheets, footprintSummary, lineItemSheet } = await views();
      const content = await lineItemSheet(() => items(ruleWords), summary.unit);
      return {
        ...content,
        name: 'Line items',
        title: `Footprint of ${naming([...summary.method.files])}`,
        sheets: footprintSheets(summary),
        summary: () => footprintSummary(summary, commandWith),
      };
    },
  };
  await show(session, result, target);
}
