/*
 * The tool that answers what a footprint is, how many suppliers have targets, whom to ask next, and
 * why it changed. It reads files below the root, and makes no request.
 */

import { basename } from 'node:path';
import * as z from 'zod/mini';
import { answerSentences } from '../display/terminal/answers.ts';
import type { Calculation, Reading } from '../portfolio/footprint/calculation.ts';
import { compareFootprints } from '../portfolio/footprint/compare.ts';
import { calculateFootprint } from '../portfolio/footprint/footprint.ts';
import {
  boundaries,
  type MethodOptions,
  upstreamReadings,
} from '../portfolio/footprint/line-item.ts';
import { measureGoal } from '../portfolio/footprint/measure-goal.ts';
import { readHistory } from '../portfolio/footprint/record-history.ts';
import {
  keptOf,
  openSpendFile,
  type SpendOptions,
  type SpendReport,
} from '../portfolio/footprint/spend/spend-file.ts';
import { Suppliers } from '../portfolio/footprint/suppliers.ts';
import { answersOf } from '../portfolio/footprint/views/answers.ts';
import { bridgeMembers, comparedRows } from '../portfolio/footprint/views/bridge.ts';
import { goalMembers } from '../portfolio/footprint/views/goal.ts';
import { supplierRows } from '../portfolio/footprint/views/goal-suppliers.ts';
import { notesOf } from '../portfolio/footprint/views/words.ts';
import { checkDays } from '../portfolio/records/dates.ts';
import { openInputs } from '../portfolio/records/files.ts';
import { readSnapshot, requireRecords } from '../portfolio/records/records.ts';
import { invalidInput } from '../runtime/carbon-error.ts';
import { type Clock, dayAt } from '../runtime/clock.ts';
import type { RootDirectory } from './root-directory.ts';
import { dataNote, defineTool, type Tool } from './tool.ts';

const text = (meaning: string) => z.optional(z.string().check(z.describe(meaning)));
const day = (meaning: string) => z.optional(z.iso.date().check(z.describe(meaning)));

const input = z.strictObject({
  file: z
    .string()
    .check(z.minLength(1), z.maxLength(4_096), z.describe('List or purchases with spend')),
  records: z.optional(
    z.array(z.string()).check(z.maxLength(20), z.describe('Default: those of the file')),
  ),
  goal: text('Share with targets: 67% by 2028, 80% of spend by 2028'),
  compare: text('Earlier year of the file, or saved footprint'),
  since: day('Changes since this day'),
  at: day('Records of this day'),
  year: z.optional(z.int().check(z.describe('Of the spend'))),
  spend_currency: z.optional(
    z.string().check(z.regex(/^[A-Z]{3}$/), z.describe('If no column has it')),
  ),
  spend_year: z.optional(z.int().check(z.describe('If no column has it'))),
  map: z.optional(z.array(z.string()).check(z.maxLength(20), z.describe('spend=Amount'))),
  decimal: z.optional(z.enum([',', '.']).check(z.describe('Decimal sign'))),
  boundary: z._default(
    z.enum(boundaries).check(z.describe('Emissions to count')),
    'cradle-to-gate',
  ),
  upstream_factor: z.optional(
    z.enum(upstreamReadings).check(z.describe('nested: with scopes 1 and 2')),
  ),
  unit: z.optional(z.enum(['kg', 't']).check(z.describe('If known'))),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(1_000), z.describe('Rows')), 20),
});

type Given = z.output<typeof input>;

/** Returns the tool `footprint`. */
export function footprintTool(
  root: RootDirectory,
  clock: Pick<Clock, 'now'>,
  version: string,
): Tool {
  return defineTool({
    name: 'footprint',
    title: 'Footprint of purchases',
    description: `Emissions of purchases; with goal, the share of suppliers with targets and whom to ask next; with compare or since, why it changed. Report statements and notes, and check understood: a wrong decimal sign changes figures by 1,000. ${dataNote}`,
    input,
    isReadOnly: true,
    run: (given, signal) => {
      checkDays(clock, given);
      const calculatedAt = clock.now();
      const today = given.at ?? dayAt(calculatedAt);
      const run = { root, version, calculatedAt, today, signal };
      if (given.goal !== undefined && given.compare !== undefined)
        throw invalidInput('goal and compare answer different questions', 'Call the tool twice.');
      if (given.goal !== undefined) return showGoal(given, given.goal, run);
      if (given.compare !== undefined || given.since !== undefined) return showChange(given, run);
      return showTotal(given, run);
    },
  });
}

interface Run {
  readonly root: RootDirectory;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly calculatedAt: number;
  readonly today: string;
  readonly signal: AbortSignal;
}

async function showTotal(given: Given, run: Run): Promise<object> {
  const { result, report } = await calculate(given, run);
  const { summary } = result;
  const uncovered = [...result.items()].filter((item) => item.uncovered !== null);
  return {
    statements: answerSentences(answersOf(summary)),
    notes: notesOf(summary),
    understood: understoodOf(report),
    ...summary,
    uncovered_items: uncovered.slice(0, given.limit).map((item) => ({
      supplier: item.supplier,
      id: item.id,
      spend: item.spend,
      currency: item.currency,
      reason: item.uncovered,
      detail: item.uncovered_detail,
    })),
    uncovered_count: uncovered.length,
  };
}

async function showGoal(given: Given, goal: string, run: Run): Promise<object> {
  const { file, since, limit } = given;
  const reports: SpendReport[] = [];
  const { shown, now } = await measureGoal(
    file,
    { goal, since, today: run.today, hintAt: (year) => `Use "year": ${year}.` },
    (reading) => calculate(given, run, reading, reports),
  );
  const rows = supplierRows(shown);
  return {
    ...goalMembers(shown, now.result.summary),
    understood: understoodOf(reports[0]),
    suppliers: rows.slice(0, limit),
    supplier_count: rows.length,
  };
}

async function showChange(given: Given, run: Run): Promise<object> {
  const reports: SpendReport[] = [];
  const { root } = run;
  const { comparison, now } = await compareFootprints(
    given.file,
    optionsOf(given),
    (reading) => calculate(given, run, reading, reports),
    (path) => readAll(root, path),
  );
  const { summary } = now.result;
  const rows = comparedRows(comparison);
  return {
    ...bridgeMembers(comparison, summary),
    understood: understoodOf(reports[0]),
    suppliers: rows.slice(0, given.limit),
    supplier_count: rows.length,
  };
}

async function readAll(root: RootDirectory, path: string): Promise<Buffer> {
  const handle = await root.openFile(path);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function optionsOf(
  given: Given,
): SpendOptions & MethodOptions & Pick<Given, 'compare' | 'since' | 'year'> {
  const { map, decimal, boundary, unit, year, compare, since } = given;
  return {
    map,
    decimal,
    boundary,
    unit,
    year,
    compare,
    since,
    spendCurrency: given.spend_currency,
    spendYear: given.spend_year,
    upstreamFactor: given.upstream_factor,
    maxFactorAge: 5,
  };
}

/* Reads the file and the records, and calculates; without a journal, names and IDs find records. */
async function calculate(
  given: Given,
  { root, version, calculatedAt, today, signal }: Run,
  { years, at = given.at, rows: more = [], hasHistory = false }: Reading = {},
  reports: SpendReport[] = [],
): Promise<Calculation & { readonly report: SpendReport }> {
  const { file, records = [], year } = given;
  const options = optionsOf(given);
  const path = root.resolve(file);
  const handle = await root.openFile(path);
  try {
    const wanted = years ?? (year === undefined ? undefined : [year]);
    const opened = { path, name: file, file: handle, signal };
    const spendFile = await openSpendFile(opened, { ...options, years: wanted }, keptOf(path));
    const suppliers = new Suppliers(options, today);
    for await (const rows of spendFile.rows()) for (const row of rows) suppliers.add(row);
    const { report } = spendFile;
    if (report.rows === 0) throw invalidInput(`${file}: no row with spend is selected`);
    for (const row of more) suppliers.add(row);
    reports.push(report);
    const paths = records.length > 0 ? records.map(root.resolve, root) : [path];
    const openFile = (each: string) => root.openFile(each);
    const read = async (of?: string) => {
      const inputs = await openInputs(paths, { signal, at: of, openFile, allCurrencies: true });
      requireRecords(await readSnapshot(inputs, Suppliers.taking([suppliers])), inputs);
      return inputs;
    };
    const inputs = await read(at);
    const spend = suppliers.collect(spendFile.journals !== undefined);
    const stored = inputs.flatMap((each) => each.stored ?? []);
    const result = calculateFootprint(spend, options, {
      version,
      service: stored[0]?.service ?? null,
      files: [file, ...records].map((name) => basename(name)),
      selection: [],
      amounts: [],
      calculated_at: calculatedAt,
      as_of: at,
    });
    const fileYears = [...report.years.keys()].map((each) => each ?? null);
    const groupsAt = async (day: string) => {
      suppliers.forgetRecords();
      await read(day);
      return suppliers.collect(spendFile.journals !== undefined).groups;
    };
    const history = hasHistory ? await readHistory(inputs, groupsAt) : undefined;
    const { otherYears } = report;
    return { result, spend, fileYears, otherYears, history, report };
  } finally {
    await handle.close();
  }
}

/* How the columns and amounts were read, which the caller should check. */
function understoodOf(report: SpendReport | undefined): object | null {
  if (report === undefined) return null;
  const { columns, format, rows } = report;
  return { columns: columns.registrationMap, amounts: format, rows };
}
