/* The tools that read lists and records below the root, as the commands of the same names do. */

import * as z from 'zod/mini';
import type { Organization } from '../client/api/schema.ts';
import { kindOf } from '../display/query/kinds.ts';
import type { ColumnValue, Condition } from '../display/query/query.ts';
import { answerSentences } from '../display/terminal/answers.ts';
import {
  errorColumn,
  type RecordColumn,
  type RecordRow,
} from '../portfolio/organizations/columns.ts';
import { isSynthetic } from '../portfolio/organizations/history.ts';
import { parseSelection } from '../portfolio/organizations/selection.ts';
import { organizationRow, organizationTable as table } from '../portfolio/organizations/tables.ts';
import { checkPast, datesOf } from '../portfolio/records/dates.ts';
import { type InputOptions, openInputs } from '../portfolio/records/files.ts';
import { LatestRecords, readSnapshot, requireRecords } from '../portfolio/records/records.ts';
import { reportAnswers } from '../portfolio/report/answers.ts';
import { compare } from '../portfolio/report/diff.ts';
import { documentOf } from '../portfolio/report/document.ts';
import { findDoubts } from '../portfolio/report/doubts.ts';
import { readEntry } from '../portfolio/report/entry.ts';
import { ListErrors } from '../portfolio/report/list-errors.ts';
import { moveStatements, movesBetween } from '../portfolio/report/movers.ts';
import { RowSelector } from '../portfolio/report/row-selector.ts';
import { createTakeSnapshot } from '../portfolio/report/snapshot.ts';
import { summarizePortfolio } from '../portfolio/report/summary.ts';
import { invalidInput, UsageError } from '../runtime/carbon-error.ts';
import { type Clock, dayAt } from '../runtime/clock.ts';
import { joinHints } from '../runtime/hint.ts';
import type { RootDirectory } from './root-directory.ts';
import { dataNote, defineTool, type Tool } from './tool.ts';

const path = z.string().check(z.minLength(1), z.maxLength(4_096));

const files = z
  .array(path)
  .check(z.minLength(1), z.maxLength(20), z.describe('Lists or records (see list_files)'));

const limit = z._default(z.int().check(z.minimum(1), z.maximum(1_000), z.describe('Items')), 50);

/**
 * Reads what a tool needs of the latest record of each organization.
 * @param view the day at whose end the stored records of a list are read
 * @throws UsageError if there is no record
 */
async function readLatest<Value>(
  root: RootDirectory,
  paths: readonly string[],
  read: (record: Organization) => Value,
  view: Pick<InputOptions, 'signal' | 'at'>,
) {
  const openFile = (file: string) => root.openFile(file);
  const inputs = await openInputs(paths.map(root.resolve, root), { ...view, openFile });
  const latest = new LatestRecords<Value>();
  const counts = await readSnapshot(inputs, latest.taking(read));
  requireRecords(counts, inputs);
  const lists = inputs.flatMap(({ stored }, index) =>
    stored ? { list: paths[index], ...stored.facts } : [],
  );
  const { records, failed, unexpected: unexpected_values, truncated } = counts;
  return { latest, counts, input: { records, failed, unexpected_values, truncated, lists } };
}

export function filesTool(root: RootDirectory): Tool {
  return defineTool({
    name: 'list_files',
    title: 'Files',
    description: `List the files that tools can read: lists and spend (CSV, .xlsx), with has_records if list_organizations and others read their records, and records (.ndjson). ${dataNote}`,
    input: z.strictObject({}),
    isReadOnly: true,
    run: () => root.files(),
  });
}

export function reportTool(root: RootDirectory, clock: Pick<Clock, 'now'>): Tool {
  return defineTool({
    name: 'report',
    title: 'Summary of a portfolio',
    description: `Summarize a portfolio: research, scores, commitments, scopes 1 and 2 by year and like for like, scope 3 as a distribution, largest emitters, checks, gaps. ${dataNote}`,
    input: z.strictObject({ files }),
    isReadOnly: true,
    run: async (given, signal) => {
      const today = dayAt(clock.now());
      const read = (record: Organization) =>
        readEntry(record, { today, asOf: today, retrievedAt: null });
      const { latest, counts, input } = await readLatest(root, given.files, read, { signal });
      const times = new Map(latest.timed());
      const doubts = await findDoubts(times.keys());
      const { summary } = summarizePortfolio({ times, counts, doubts });
      const document = documentOf(summary, datesOf(times.values(), clock.now()));
      const answers = answerSentences(reportAnswers(document));
      return { answers, ...document, input: { ...input, ...summary.input } };
    },
  });
}

export function diffTool(root: RootDirectory, clock: Pick<Clock, 'now'>): Tool {
  return defineTool({
    name: 'diff',
    title: 'Changes since a day',
    description: `Compare a list with an earlier day, or two files of records: new, removed and changed organizations. ${dataNote}`,
    input: z.strictObject({
      old: path.check(z.describe('List, or older records')),
      new: z.optional(path.check(z.describe('Newer records'))),
      since: z.optional(z.iso.date().check(z.describe('Earlier day (UTC)'))),
      limit,
    }),
    isReadOnly: true,
    run: async ({ old, new: other, since, limit: count }, signal) => {
      if ((other === undefined) === (since === undefined))
        throw invalidInput('diff needs either new or since', 'With since, old is a list.');
      checkPast(clock, '--since', since);
      const takeSnapshot = createTakeSnapshot();
      const read = (file: string, at?: string) =>
        readLatest(root, [file], (record) => takeSnapshot(record), { signal, at });
      const older = await read(old, since);
      const newer = await read(other ?? old);
      const sides = [new Map(older.latest.entries()), new Map(newer.latest.entries())] as const;
      const comparison = compare(...sides, since !== undefined);
      const { differences } = comparison;
      const now = clock.now();
      const times = [older, newer].flatMap(({ latest }) => [...latest.timed()]);
      return {
        statements: moveStatements(movesBetween(comparison, ...sides, dayAt(now)), since),
        ...datesOf(
          times.map(([, time]) => time),
          now,
        ),
        differences: differences.slice(0, count),
        total: differences.length,
        old: older.input,
        new: newer.input,
      };
    },
  });
}

const conditions = '"hq_region=DE", "score<40", "score=" (missing), "status!=synced": all apply';

export function listTool(root: RootDirectory, clock: Pick<Clock, 'now'>): Tool {
  // A result states the synthetic data itself, and has no marks to explain.
  const usual = [...table.pipe.slice(0, -2), errorColumn];
  const names = usual.map(({ name }) => name).join(', ');
  return defineTool({
    name: 'list_organizations',
    title: 'Organizations of lists',
    description: `Filter, sort and group organizations. Columns: ${names}, sbti_near_term, revenue and others. Figures of the latest year, emissions in an undocumented unit, scores 0 to 100. For the largest change of emissions, use diff. ${dataNote}`,
    input: z.strictObject({
      files,
      search: z.optional(z.string().check(z.describe('Part of the name'))),
      where: z.optional(z.array(z.string()).check(z.maxLength(20), z.describe(conditions))),
      sort: z.optional(z.string().check(z.describe('-score,name (- is descending)'))),
      columns: z.optional(z.string().check(z.describe('id,name,score'))),
      group_by: z.optional(z.string().check(z.describe('Columns to count by'))),
      sum: z.optional(z.string().check(z.describe('With group_by: to add up'))),
      mean: z.optional(z.string().check(z.describe('With group_by: to average'))),
      limit,
    }),
    isReadOnly: true,
    run: async (
      { files: paths, group_by: groupBy, search = '', limit: count, ...given },
      signal,
    ) => {
      const parsed = await parseSelection(table, { ...given, groupBy }).catch(nameColumns);
      const isNamed = ({ record }: RecordRow) =>
        (record.name ?? '').toLowerCase().includes(search.toLowerCase());
      const matches = (row: RecordRow) => isNamed(row) && parsed.matches(row);
      const selection = { ...parsed, matches };
      const { grouping, columns = usual } = selection;
      const seen = new SeenValues(selection.conditions);
      const now = clock.now();
      const shape = { columns: grouping?.read ?? columns };
      const errors = new ListErrors(selection, shape.columns, dayAt(now));
      const selector = new RowSelector(selection, shape, errors);
      const { latest, input } = await readLatest(
        root,
        paths,
        (record) => {
          seen.add(organizationRow(record));
          return { ...selector.read(record, undefined), isSynthetic: isSynthetic(record) };
        },
        { signal },
      );
      const isFiltered = search !== '' || given.where !== undefined;
      const selected = await selector.select(latest, isFiltered);
      const { rows, groups, said, warning, met, total } = selected;
      const counts = {
        statements: said,
        ...datesOf(latest.times(), now),
        matched: met,
        total,
        synthetic: [...latest.values()].filter((each) => each.isSynthetic).length,
        input,
        ...(met === 0 ? seen.result : {}),
      };
      const result = warning === undefined ? counts : { ...counts, warning };
      const named = columns.map(({ name, title = name }) => (given.columns ? title : name));
      const cells = rows.slice(0, count).map((row) => row.cells);
      if (grouping === undefined || groups === undefined)
        return { organizations: objects(named, cells), ...result };
      const names = grouping.columns.map(({ name }) => name);
      const values = groups.slice(0, count).map((group) => group.values);
      const shown = objects(names, values);
      return { groups: shown, group_count: groups.length, ...result };
    },
  });
}

/* The caller cannot look up the names of columns elsewhere. */
function nameColumns(error: unknown): never {
  if (!(error instanceof UsageError)) throw error;
  const names = [...table.columns.map(({ name }) => name), ...Object.keys(table.aliases)];
  throw new UsageError(error.message, joinHints(error.hint, `Columns: ${names.join(', ')}`));
}

const maxValues = 20;

/* The texts of the columns that conditions compare, for a caller whose condition nothing meets. */
class SeenValues {
  readonly #values: ReadonlyMap<RecordColumn, Set<string>>;

  constructor(conditions: readonly Condition<RecordRow>[]) {
    const texts = conditions.filter(({ column, text }) => {
      return kindOf(column.kind).type === 'text' && text !== '';
    });
    this.#values = new Map(texts.map(({ column }) => [column, new Set<string>()]));
  }

  add(row: RecordRow): void {
    for (const [{ value }, values] of this.#values)
      if (values.size < maxValues) values.add(String(value(row) ?? ''));
  }

  get result(): object {
    const names = [...this.#values].map(([{ name }, values]) => [name, [...values].sort()]);
    return names.length === 0 ? {} : { existing_values: Object.fromEntries(names) };
  }
}

function objects(names: readonly string[], rows: readonly (readonly ColumnValue[])[]): object[] {
  return rows.map((row) =>
    Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])),
  );
}

/** Returns the tool that shows one record of lists in full, by ID or by name. */
export function recordTool(root: RootDirectory): Tool {
  return defineTool({
    name: 'get_listed',
    title: 'Record from a list',
    description: `Show the whole record of one organization from lists, by ID or name, offline: emissions by year and scope (unit undocumented), score (0 to 1), targets, sources. ${dataNote}`,
    input: z.strictObject({
      files,
      id: z.optional(z.union([z.int(), z.string()]).check(z.describe('ID, or give the name'))),
      name: z.optional(z.string().check(z.minLength(1), z.describe('Name or part of it'))),
    }),
    isReadOnly: true,
    run: async ({ files: paths, id, name }, signal) => {
      if ((id === undefined) === (name === undefined))
        throw invalidInput('get_listed needs either id or name');
      const wanted = name?.toLowerCase();
      const isWanted = (record: Organization) =>
        wanted === undefined
          ? String(record.id) === String(id)
          : (record.name ?? '').toLowerCase().includes(wanted);
      const { latest, input } = await readLatest(
        root,
        paths,
        (record) => (isWanted(record) ? record : undefined),
        { signal },
      );
      const found = [...latest.values()].filter((record) => record !== undefined);
      const exact = found.filter((record) => record.name?.toLowerCase() === wanted);
      const [record, ...others] = exact.length === 1 ? exact : found;
      if (record === undefined)
        throw invalidInput(
          `no organization has ${id === undefined ? `the name ${name}` : `the ID ${id}`}`,
          'Find it with list_organizations and search.',
        );
      if (others.length > 0)
        throw invalidInput(
          `${found.length} organizations have this name: ${found
            .slice(0, 10)
            .map((each) => `${each.name} (ID ${each.id})`)
            .join(', ')}`,
          'Choose one with id.',
        );
      return { record, synthetic: isSynthetic(record), input };
    },
  });
}
