import { basename } from 'node:path';
import type { Command } from 'commander';
import packageJson from '../../../../package.json' with { type: 'json' };
import { Footprint } from '../../../footprint/calculation/footprint.ts';
import type { FootprintSummary } from '../../../footprint/footprint-summary.ts';
import { boundaries, upstreamReadings } from '../../../footprint/register-row.ts';
import { spool } from '../../../table/input-file.ts';
import { addMetricsFile } from '../../metrics-option.ts';
import { readChoice, readCount } from '../../option-parsers.ts';
import type { Run, Session } from '../../session.ts';
import { addTableOptions } from '../../table-options.ts';
import { reportResearch } from './next-command.ts';
import { matchNotice } from './notices.ts';
import {
  checkFlags,
  type FootprintFlags,
  readDecimal,
  readSpendFactor,
  readWhatIf,
} from './options.ts';
import { printFootprint } from './print.ts';
import { readInput, type SpendInput } from './read-input.ts';

const howItWorks = `
Emissions of a row = spend x factor of the supplier. The factor comes from the
supplier's disclosed figures, else from the factors of the service, else from
the industry average, which carbon reports separately. Rows without a factor are
uncovered: carbon lists them with the reason and never counts them as 0.

Register the suppliers first: carbon batch <file>. Its journal has their ids.
Without it, choose the column with the ids: --map id=ID. carbon recognizes the
headers carbon_id and organization_id. carbon retrieves each record in the
currency of its rows. With --records, it makes no request: it matches suppliers
by id, then by external id (which may be a LEI, ISIN or D-U-N-S number), then by
exact name and country.

carbon recognizes the columns by their headers. To choose them yourself:
--map spend=Amount,spend_currency=Curr,spend_year=FY,category=Cat,id=ID

--csv prints the register: one row per supplier, currency, year and category,
with all inputs of its figure. --json prints the same and a last line with the
summary.

Exit codes: 0 all rows with spend are covered, 9 some are not, 2 the input is
not usable.`;

const collect = (text: string, sofar: readonly string[] = []) => [...sofar, text];

/** Declares `carbon footprint`: flags and help. The work is in `footprint`. */
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
      'read the records from a file instead of the service, such as one of --save (repeatable)',
      collect,
    )
    .option('--save <file>', 'write the retrieved records to a file, for --records')
    .option(
      '--out <file>',
      'write the footprint as a self-contained HTML page, or as a workbook (.xlsx)',
    )
    .option(
      '--map <field=column>',
      'assign columns to fields, such as spend=Amount,name=Vendor (repeatable)',
      collect,
    )
    .option('--currency <code>', 'ISO 4217 currency of all amounts, such as EUR')
    .option(
      '--spend-year <year>',
      'year of all amounts, such as 2024',
      readCount('--spend-year', 1900, 2200),
    )
    .option(
      '--decimal <sign>',
      'decimal sign of the amounts: "," or "." (default: as the column shows)',
      readDecimal,
    )
    .option(
      '--spend-factor <n>',
      'multiply every amount, such as 1000 for amounts in thousands (default: 1)',
      readSpendFactor,
    )
    .option(
      '--boundary <name>',
      'emissions to count: cradle-to-gate, scope-1-2 or total',
      readChoice('--boundary', boundaries),
      'cradle-to-gate',
    )
    .option(
      '--upstream <reading>',
      "whether the service's upstream factor excludes scopes 1 and 2 (additive) or contains them (nested); default: as the records show",
      readChoice('--upstream', upstreamReadings),
    )
    .option(
      '--fallback <source>',
      'factor for suppliers that have none: industry or none',
      readChoice('--fallback', ['industry', 'none']),
      'industry',
    )
    .option(
      '--unit <unit>',
      'unit of the emissions, kg or t (default: none, because the service documents none)',
      readChoice('--unit', ['kg', 't']),
    )
    .option(
      '--what-if <set:n>',
      'show the SBTi coverage if the n largest suppliers without a target set one, such as set:10',
      readWhatIf,
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

async function footprint(session: Session, file: string, flags: FootprintFlags): Promise<number> {
  await checkFlags(session, file, flags);
  if (file !== '-') return footprintOf(session, { path: file, name: file }, flags);
  const spooled = await spool(session.context.stdin, session.context.signal);
  try {
    const input = { path: spooled.path, name: 'standard input', file: spooled.handle };
    return await footprintOf(session, input, flags);
  } finally {
    await spooled.close();
  }
}

async function footprintOf(
  session: Session,
  input: SpendInput,
  flags: FootprintFlags,
): Promise<number> {
  const { groups, inconsistent, evidence } = await readInput(session, input, flags);
  const { records = [], boundary, unit = null, upstream, whatIf, fallback } = flags;
  const names = records.map((path) => (path === '-' ? 'standard input' : basename(path)));
  const result = new Footprint(groups, {
    boundary,
    unit,
    upstream,
    evidence,
    whatIf,
    inconsistentFactors: inconsistent,
    method: {
      version: packageJson.version,
      service: records.length > 0 ? null : session.identity().service,
      files: [basename(input.name), ...names],
      fallback,
      calculated_at: new Date(session.context.clock.now()).toISOString(),
    },
  });
  const summary = result.summary();
  recordRows(session, summary);
  session.messages.print(matchNotice(summary));
  await printFootprint(session, result, flags.out);
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
