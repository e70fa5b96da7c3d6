import { spool } from '../../../../lists/table/input-file.ts';
import type { calculateFootprint, LineItem } from '../../../../portfolio/footprint/footprint.ts';
import { boundaries, upstreamReadings } from '../../../../portfolio/footprint/line-item.ts';
import { amountScales } from '../../../../portfolio/footprint/spend/columns.ts';
import type { SpendInput } from '../../../../portfolio/footprint/spend/spend-file.ts';
import { statements } from '../../../../portfolio/footprint/statements.ts';
import { renderFootprint } from '../../../../portfolio/footprint/views/tables.ts';
import { UsageError } from '../../../../runtime/carbon-error.ts';
import { tableOptions } from '../../../input-table.ts';
import {
  type CommandDeclaration,
  currencies,
  keepOption,
  outOption,
  readCount,
  readCurrency,
  readDay,
  titleOption,
} from '../../../options.ts';
import type { OutFile } from '../../../output/out-file.ts';
import { checkTitle, openOut, type Result, show } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import { matchNotice, mayBeOwnIds } from './notices.ts';
import { calculate, type FootprintFlags, isBrief, todayOf } from './read-input.ts';

const howItWorks = `
First retrieve the records, in each currency of your spend: carbon sync <file>
--currency EUR. Emissions are the spend times the supplier's factor. Line items
without a factor are listed, and never count as 0. More: docs/footprint.md

Exit codes: 0 all line items with spend are covered, 9 some are not; with
--goal, 0 it is reached, 10 it is not.`;

const collect = (text: string, sofar: readonly string[] = []) => [...sofar, text];

/** `carbon footprint` */
export const footprintCommand: CommandDeclaration<FootprintFlags> = {
  name: 'footprint',
  group: 'Portfolio',
  summary: "Emissions of purchases, suppliers' targets, and what changed",
  arguments: [
    {
      term: '<file>',
      description: 'CSV file or .xlsx workbook with suppliers and spend, or -',
    },
  ],
  options: {
    Amounts: [
      {
        flags: '--map <field=column>',
        description: 'assign columns to fields: spend=Amount,name=Vendor (repeatable)',
        parse: collect,
      },
      {
        flags: '--rows <column=value>',
        description: 'use only rows with this value, or without it (Status!=Void; repeatable)',
        parse: collect,
      },
      {
        flags: '--year <year>',
        description: 'use only spend of this year',
        parse: readCount('--year', 1900, 2200),
      },
      {
        flags: '--spend-currency <code>',
        description: 'ISO 4217 currency of all amounts, such as EUR',
        offers: currencies,
      },
      {
        flags: '--spend-year <year>',
        description: 'year of all amounts, such as 2024',
        parse: readCount('--spend-year', 1900, 2200),
      },
      {
        flags: '--amounts-in <scale>',
        description: 'units, thousands or millions',
        choices: Object.keys(amountScales),
      },
      {
        flags: '--decimal <sign>',
        description: 'decimal sign of the amounts: "," or "."',
        parse: readDecimal,
      },
      { flags: '--invert', description: 'reverse the sign of all amounts' },
      ...tableOptions,
    ],
    Method: [
      {
        flags: '--boundary <name>',
        description: 'emissions to count: cradle-to-gate, scope-1-2 or total',
        choices: boundaries,
        default: 'cradle-to-gate',
      },
      {
        flags: '--upstream-factor <reading>',
        description: 'whether the factor excludes scopes 1 and 2 (additive) or not (nested)',
        choices: upstreamReadings,
      },
      {
        flags: '--max-factor-age <years>',
        description: 'years figures may predate the spend',
        parse: readCount('--max-factor-age', 0, 300),
        default: 5,
      },
      {
        flags: '--unit <unit>',
        description: 'unit of the emissions in the records, kg or t',
        choices: ['kg', 't'],
      },
    ],
    'Targets and changes': [
      {
        flags: '--goal <share>',
        description: 'suppliers with SBTi targets: 67, 80% of spend',
      },
      {
        flags: '--compare <base>',
        description: 'earlier year of the file, or a saved footprint',
      },
      {
        flags: '--since <date>',
        description: 'what changed since the end of this day (UTC)',
        parse: readDay('--since'),
      },
      {
        flags: '--at <date>',
        description: 'use the records of the end of this day (UTC)',
        parse: readDay('--at'),
      },
    ],
    'Records and files': [
      {
        flags: '--records <file>',
        description: 'another synced list, or records (repeatable)',
        parse: collect,
      },
      outOption('.html, .xlsx or .csv'),
      { flags: '--full', description: 'show how the file was read, and every table' },
      titleOption,
      keepOption,
    ],
  },
  examples: [
    'carbon footprint suppliers.xlsx -o footprint.html',
    'carbon footprint purchases.csv --spend-currency EUR --records suppliers.xlsx',
    'carbon footprint suppliers.xlsx --rows BlArt=KR --year 2024 --csv > items.csv',
    'carbon footprint suppliers.xlsx --goal "67% by 2028"',
    'carbon footprint purchases.csv --compare 2023',
  ],
  notes: howItWorks,
  formats: ['human', 'json', 'csv'],
  service: ['--sandbox'],
  missing: [
    'a file',
    'Try `carbon footprint suppliers.csv`, or `carbon footprint -` to read standard input.',
  ],
  run: (session, [file = ''], options) => footprint(session, file, options),
};

function readDecimal(text: string): ',' | '.' {
  if (text === ',' || text === '.') return text;
  throw new UsageError(
    `--decimal: "${text}" is neither , nor .`,
    'Use --decimal , for 1.234,50 and --decimal . for 1,234.50.',
  );
}

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
  try {
    return await footprintOf(session, { ...source, signal: context.signal }, options, target);
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
  checkDays(session, options);
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
  const { result } = await calculate(session, input, options);
  const { summary } = result;
  if (!isBrief(session, options) || mayBeOwnIds(summary))
    session.messages.print(matchNotice(summary));
  await output(session, result, target, options);
  if (summary.line_items === summary.covered_line_items) return 0;
  session.messages.printDeferred();
  return 9;
}

/* Nothing changes between a day and the same or an earlier one. */
function checkDays(session: Session, options: FootprintFlags): void {
  const { since, at } = options;
  if (since === undefined || since < todayOf(session, options)) return;
  throw new UsageError(
    `--since ${since} is not before ${at === undefined ? 'today' : `--at ${at}`}`,
    'Choose an earlier day.',
  );
}

async function output(
  session: Session,
  { summary, items }: ReturnType<typeof calculateFootprint>,
  target: OutFile | undefined,
  { title, full }: FootprintFlags,
): Promise<void> {
  const views = () => import('../../../../portfolio/footprint/views/workbook.ts');
  function* lines() {
    yield* items();
    yield { summary: { statements: statements(summary), ...summary } };
  }
  const result: Result<LineItem> = {
    json: lines(),
    text: (view) => renderFootprint(summary, items(), view, full),
    async page() {
      const { renderFootprintPage } = await import('../../../../portfolio/footprint/views/page.ts');
      const html = renderFootprintPage(summary, items(), title);
      return { html, size: summary.suppliers, noun: 'supplier' };
    },
    async table() {
      const { lineItemColumns } = await views();
      return { name: 'Line items', columns: lineItemColumns, rows: items() };
    },
    async workbook() {
      const { footprintSheets, footprintSummary } = await views();
      return {
        title: 'Footprint of suppliers',
        sheets: footprintSheets(summary),
        summary: () => footprintSummary(summary),
      };
    },
  };
  await show(session, result, target);
}
