import { basename } from 'node:path';
import type { Command } from 'commander';
import packageJson from '../../../../package.json' with { type: 'json' };
import { calculateFootprint } from '../../../footprint/footprint.ts';
import {
  type Boundary,
  boundaries,
  type UpstreamReading,
  upstreamReadings,
} from '../../../footprint/line-item.ts';
import { type AmountScale, amountScales } from '../../../footprint/spend/spend-rows.ts';
import type { FootprintSummary } from '../../../footprint/summary.ts';
import { lineItemColumns } from '../../../footprint/views/line-item-columns.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { spool } from '../../../table/input-file.ts';
import { addMetricsFile } from '../../metrics-option.ts';
import { readChoice, readCount } from '../../option-parsers.ts';
import type { Run, Session } from '../../session.ts';
import { addTableOptions } from '../../table-options.ts';
import { matchNotice } from './notices.ts';
import { printFootprint, reportResearch } from './print.ts';
import { readInput, type SpendInput } from './read-input.ts';

const howItWorks = `
Emissions of a line item = spend x factor of the supplier. The factor comes from
the figures in the supplier's record, otherwise from the factors of the service,
otherwise from the average of the industry, which is reported separately. Line
items without a factor are uncovered: they are listed with the reason and never
counted as 0.

Register the suppliers first: carbon batch <file>. Its journal has their IDs.
Without it, choose the column with the IDs: --map id=ID. The headers carbon_id
and organization_id are recognized. Each record is retrieved in the currency of
its rows. With --records, no request is sent: suppliers are matched by ID, then
by external ID (which may be a LEI, ISIN or D-U-N-S number), then by exact name
and country.

Columns are recognized by their headers. To choose them yourself:
--map spend=Amount,spend_currency=Curr,spend_year=FY,category=Cat,id=ID

--csv prints the line items: one per supplier, currency, year and category, with
all inputs of its figure. --json prints the same and a last line with the
summary.

Exit codes: 0 all line items with spend are covered, 9 some are not, 2 the input
is not usable.`;

/** The options of `carbon footprint`, as commander parses them. */
export interface FootprintFlags {
  readonly records?: readonly string[];
  readonly save?: string;
  readonly out?: string;
  readonly map?: readonly string[];
  readonly rows?: readonly string[];
  readonly year?: number;
  readonly spendCurrency?: string;
  readonly spendYear?: number;
  readonly amountsIn?: AmountScale;
  readonly invert?: boolean;
  readonly includeTotals?: boolean;
  readonly decimal?: ',' | '.';
  readonly boundary: Boundary;
  readonly upstreamFactor?: UpstreamReading;
  readonly maxFactorAge: number;
  readonly excludeOutliers?: boolean;
  readonly unit?: 'kg' | 't';
  readonly factorUnit?: 'kg' | 't';
  readonly journal?: string;
  readonly encoding?: string;
  readonly skipLines?: number;
  readonly header?: boolean;
  readonly sheet?: string;
}

const collect = (text: string, sofar: readonly string[] = []) => [...sofar, text];

/** Declares `carbon footprint`. */
export function addFootprint(program: Command, run: Run): Command {
  const command = program
    .command('footprint')
    .description('Calculate the emissions of purchases from spend and supplier records')
    .argument(
      '<file>',
      'CSV file or .xlsx workbook with suppliers and spend, or - for standard input',
    )
    .option(
      '--records <file>',
      'read the records from a file instead of the service (repeatable)',
      collect,
    )
    .option('--save <file>', 'write the retrieved records to an .ndjson file, for --records')
    .option(
      '-o, --out <file>',
      'write a page (.html), a workbook (.xlsx) or the line items (.csv); the extension chooses',
    )
    .option(
      '--map <field=column>',
      'assign columns to fields, such as spend=Amount,name=Vendor (repeatable)',
      collect,
    )
    .option(
      '--rows <column=value>',
      'use only rows with this value in a column, such as BlArt=KR, or without it: Status!=Void (repeatable)',
      collect,
    )
    .option('--year <year>', 'use only spend of this year', readCount('--year', 1900, 2200))
    .option('--spend-currency <code>', 'ISO 4217 currency of all amounts, such as EUR')
    .option(
      '--spend-year <year>',
      'year of all amounts, such as 2024',
      readCount('--spend-year', 1900, 2200),
    )
    .option(
      '--amounts-in <scale>',
      'what the amounts count: units, thousands or millions',
      readChoice('--amounts-in', Object.keys(amountScales) as AmountScale[]),
    )
    .option('--invert', 'reverse the sign of all amounts, for exports with purchases as credits')
    .option(
      '--decimal <sign>',
      'decimal sign of the amounts: "," or "." (default: as the column shows)',
      readDecimal,
    )
    .option('--include-totals', 'treat rows labeled as totals, such as "Total", as suppliers')
    .option(
      '--boundary <name>',
      'emissions to count: cradle-to-gate, scope-1-2 or total',
      readChoice('--boundary', boundaries),
      'cradle-to-gate',
    )
    .option(
      '--upstream-factor <reading>',
      "whether the service's upstream factor excludes scopes 1 and 2 (additive) or contains them (nested); default: as the records show",
      readChoice('--upstream-factor', upstreamReadings),
    )
    .option(
      '--max-factor-age <years>',
      'do not use figures that are more years older than the spend',
      readCount('--max-factor-age', 0, 300),
      5,
    )
    .option('--exclude-outliers', 'leave line items uncovered whose figures may be wrong')
    .option(
      '--unit <unit>',
      'unit of the emissions in the records, kg or t (default: none, because the service documents none)',
      readChoice('--unit', ['kg', 't']),
    )
    .option(
      '--factor-unit <unit>',
      "unit of the service's emission factors, kg or t, if it is not that of --unit",
      readChoice('--factor-unit', ['kg', 't']),
    )
    .option(
      '--journal <file>',
      'journal of carbon batch (default: <input>.carbon.jsonl next to the input)',
    );
  return addMetricsFile(addTableOptions(command))
    .addHelpText('after', howItWorks)
    .action((file: string, flags: FootprintFlags, command: Command) =>
      run(command, ['human', 'json', 'csv'], (session) => footprint(session, file, flags)),
    );
}

function readDecimal(text: string): ',' | '.' {
  if (text === ',' || text === '.') return text;
  throw new UsageError(
    `--decimal: "${text}" is neither , nor .`,
    'Use --decimal , for 1.234,50 and --decimal . for 1,234.50.',
  );
}

async function footprint(session: Session, file: string, flags: FootprintFlags): Promise<number> {
  await checkFlags(file, flags);
  const { out, records = [] } = flags;
  const target = out === undefined ? undefined : await openOut(session, out, [file, ...records]);
  if (file !== '-') return footprintOf(session, { path: file, name: file }, flags, target);
  const spooled = await spool(session.context.stdin, session.context.signal);
  try {
    const input = { path: spooled.path, name: 'standard input', file: spooled.handle };
    return await footprintOf(session, input, flags, target);
  } finally {
    await spooled.close();
  }
}

async function openOut(session: Session, path: string, inputs: readonly string[]) {
  const { OutFile } = await import('../../output/out-file.ts');
  return OutFile.open(session, path, {
    extensions: ['.html', '.xlsx', '.csv'],
    inputs,
    columns: lineItemColumns.map(({ name }) => name),
  });
}

/* Checks that options fit together, before any file, the sandbox or the service is used. */
async function checkFlags(file: string, flags: FootprintFlags): Promise<void> {
  const { out, save, unit, factorUnit, records = [] } = flags;
  if (factorUnit !== undefined && unit === undefined) {
    throw new UsageError(
      '--factor-unit needs --unit',
      'Declare the unit of the emissions as well, such as --unit t --factor-unit kg.',
    );
  }
  if (save !== undefined && records.length > 0) {
    throw new UsageError(
      '--save cannot be combined with --records',
      '--save writes the records that carbon retrieves; with --records, it retrieves none.',
    );
  }
  if ([file, ...records].filter((path) => path === '-').length > 1)
    throw new UsageError('Standard input can be read only once, but - was given twice');
  if (save === undefined) return;
  if (save === out) throw new UsageError('--save and -o name the same file');
  const { checkTarget } = await import('../../../page/write-page.ts');
  await checkTarget(save, [file], { flag: '--save', example: 'records.ndjson' });
  const { isOwnFile } = await import('../../output/own-file.ts');
  const isFree = !(await exists(save)) || (/\.ndjson$/i.test(save) && (await isOwnFile(save, [])));
  if (!isFree) {
    throw new UsageError(
      `--save: ${save}: carbon did not write this file, or it was edited`,
      'carbon replaces only its own .ndjson files. Use another name, such as --save records-2.ndjson.',
      'invalid_input',
    );
  }
}

async function exists(path: string): Promise<boolean> {
  const { stat } = await import('node:fs/promises');
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function footprintOf(
  session: Session,
  input: SpendInput,
  flags: FootprintFlags,
  target: Awaited<ReturnType<typeof openOut>> | undefined,
): Promise<number> {
  const { spend, warnings } = await readInput(session, input, flags);
  const { records = [], boundary, unit = null, factorUnit, upstreamFactor, year } = flags;
  const names = records.map((path) => (path === '-' ? 'standard input' : basename(path)));
  const result = calculateFootprint(spend, {
    boundary,
    unit,
    factorUnit,
    upstreamFactor,
    excludeOutliers: flags.excludeOutliers,
    warnings,
    method: {
      version: packageJson.version,
      service: records.length > 0 ? null : session.identity().service,
      files: [basename(input.name), ...names],
      selection: [
        ...(flags.rows ?? []),
        ...(year === undefined ? [] : [`spend of ${year}`]),
        ...(flags.includeTotals ? ['including labeled totals'] : []),
        ...(flags.excludeOutliers ? ['without outliers'] : []),
      ],
      amounts: [
        ...(flags.invert ? ['signs reversed (--invert)'] : []),
        ...((flags.amountsIn ?? 'units') === 'units' ? [] : [`in ${flags.amountsIn}`]),
      ],
      max_factor_age: flags.maxFactorAge,
      factor_unit: factorUnit ?? null,
      calculated_at: new Date(session.context.clock.now()).toISOString(),
    },
  });
  const { summary } = result;
  recordRows(session, summary);
  session.messages.print(matchNotice(summary));
  await printFootprint(session, result, target);
  reportResearch(session, result, records.length > 0);
  const isCovered = Object.keys(summary.uncovered).length === 0;
  if (!isCovered) session.messages.printDeferred();
  return isCovered ? 0 : 9;
}

/* Gives the rows to the recorder of the run, which writes metrics. */
function recordRows({ recorder }: Session, summary: FootprintSummary): void {
  const { rows, covered_rows: covered, excluded } = summary;
  const outcomes = {
    covered,
    uncovered: rows - covered,
    excluded: excluded.negative_net_spend.rows + excluded.no_spend.rows,
  };
  recorder?.setWork({ subject: 'rows', outcomes, left: 0 });
}
