import type { Organization } from '../../../api/schema.ts';
import { checkRecord, checkShared, type Known, rules } from '../../../checks/check-records.ts';
import {
  countsText,
  type Decision,
  type Finding,
  review,
  summarizeFindings,
} from '../../../checks/findings.ts';
import { SharedMatches } from '../../../checks/match-rules.ts';
import {
  describeLapsed,
  findingColumns,
  findingRow,
  renderFindings,
} from '../../../checks/view.ts';
import { invalidInput, UsageError } from '../../../runtime/carbon-error.ts';
import { detectDialect } from '../../../table/dialect.ts';
import { InputFile } from '../../../table/input-file.ts';
import { readRows } from '../../../table/rows.ts';
import { count, plural } from '../../../terminal/format.ts';
import type { CommandDeclaration } from '../../declaration.ts';
import { everyFormat } from '../../declaration.ts';
import { outOption, recordFiles, storeOption } from '../../option-parsers.ts';
import { OutFile } from '../../output/out-file.ts';
import { printItems } from '../../output/print-items.ts';
import { readLatest } from '../../read-snapshot.ts';
import type { Session } from '../../session.ts';

interface CheckOptions {
  readonly out?: string;
  readonly list?: string;
  readonly map?: readonly string[];
  readonly sheet?: string;
  readonly journal?: string;
  readonly previous?: string;
  readonly accept?: string;
  readonly store?: string;
}

/** Exit code of a check that found errors or warnings. */
const foundProblems = 10;

const notCompared = 'Names were not compared: --list reads the list that you registered.';

const howItWorks = `
Can the figures be right, and does each record belong to the company you meant?
carbon compares the figures of a record with each other, with the year before
and with the industry, and the matched organization with the row of your list
(for records of get or watch, name the list with --list). It sends no requests.
Every rule, with its limit: docs/reference/checks.md

--accept reads the findings that you have reviewed, from a CSV file with the
columns id and rule, and optionally value, year and until (YYYY-MM-DD). The
output of --csv is such a file.

Exit codes: 0 no errors or warnings, 10 errors or warnings, 1 or 2 failure.`;

/** `carbon check` */
export const checkCommand: CommandDeclaration<CheckOptions> = {
  name: 'check',
  group: 'Use data',
  summary: 'Check whether records can be right',
  arguments: [recordFiles],
  options: {
    Options: [
      outOption('.xlsx or .csv'),
      {
        flags: '--list <file>',
        description: 'list whose rows to compare with records from elsewhere',
      },
      {
        flags: '--map <field=column>',
        description: 'assign columns of the list: id="Carbon no." (repeatable)',
        parse: (text: string, sofar: readonly string[] = []) => [...sofar, text],
      },
      { flags: '--sheet <name>', description: 'sheet of the list (default: first visible)' },
      {
        flags: '--journal <file>',
        description: 'journal of the list (default: <list>.carbon.jsonl)',
      },
      { flags: '--previous <file>', description: 'earlier records, to find matches that changed' },
      { flags: '--accept <file>', description: 'leave out the findings in this CSV file' },
      storeOption,
    ],
  },
  examples: [
    'carbon check suppliers.xlsx',
    'carbon check records.ndjson --list suppliers.csv',
    'carbon check suppliers.xlsx --accept reviewed.csv -o findings.xlsx',
  ],
  notes: howItWorks,
  formats: everyFormat,
  missing: [
    'a file',
    'Try `carbon check records.ndjson`, or `carbon check -` to read standard input.',
  ],
  synonyms: ['validate', 'verify', 'lint'],
  run: check,
};

async function check(
  session: Session,
  files: readonly string[],
  flags: CheckOptions,
): Promise<number> {
  const { out, previous, accept, store } = flags;
  const listPath = flags.list ?? (await listAmong(files, store));
  checkFlags(flags, listPath);
  const inputs = [...files, listPath, previous, accept].filter((path) => path !== undefined);
  const target = await OutFile.open(session, out, { extensions: ['.xlsx', '.csv'], inputs });
  const decisions = accept === undefined ? [] : await readDecisions(accept);
  const list = await readList(session, listPath, flags);
  const earlier = await readEarlier(session, previous);
  const today = new Date(session.context.clock.now()).toISOString().slice(0, 10);
  const { loadCheckOptions } = await import('../../match-checks.ts');
  const options = { today, ...(await loadCheckOptions()) };
  const { latest } = await readLatest(
    session,
    files,
    (record, source) => {
      const { id, name, matching_organization } = record;
      const listed = list?.rowsOf(record, source);
      const known: Known = { listed, earlier: earlier.get(String(id)) };
      const findings = checkRecord(record, known, options);
      return { id, findings, match: { name, matching_organization } };
    },
    { store },
  );
  const shared = new SharedMatches();
  const found: Finding[] = [];
  for (const { id, findings, match } of latest.values()) {
    found.push(...findings);
    if (id !== undefined && id !== null) shared.add(id, match);
  }
  const comparison = list?.compare(new Set([...latest.entries()].map(([id]) => id)));
  const names = new Set(rules.map(({ name }) => name));
  const reviewed = review([...checkShared(shared), ...found], decisions, names, today);
  for (const lapsed of reviewed.lapsed) session.messages.warn(describeLapsed(lapsed, accept ?? ''));
  const { findings, accepted } = reviewed;
  const table = {
    name: 'Findings',
    columns: findingColumns,
    rowsOf: (finding: Finding) => [findingRow(finding)],
  };
  const render = () => renderFindings(findings, session.view);
  await printItems(session, findings, table, target, render);
  const summary = summarizeFindings(findings);
  const counts = countsText(summary) + (accepted > 0 ? `, ${count.format(accepted)} accepted` : '');
  session.messages.print({
    level: 'result',
    text: `${plural(latest.size, 'organization')}: ${counts}. ${comparison?.text ?? notCompared}`,
    event: {
      event: 'findings',
      organizations: latest.size,
      errors: summary.error,
      warnings: summary.warning,
      notices: summary.notice,
      accepted,
      ...(comparison === undefined ? {} : { list: comparison.counts }),
    },
  });
  return summary.error + summary.warning > 0 ? foundProblems : 0;
}

function checkFlags({ map, sheet, journal }: CheckOptions, list: string | undefined): void {
  const options = { '--map': map, '--sheet': sheet, '--journal': journal };
  const [given] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (list === undefined && given !== undefined)
    throw new UsageError(`${given} needs --list`, 'It describes the list that you registered.');
}

/* The records of a list are compared with its rows. */
async function listAmong(files: readonly string[], store: string | undefined) {
  const [file, second] = files;
  if (file === undefined || file === '-' || second !== undefined) return undefined;
  const { findStores } = await import('../../../sync/store.ts');
  return findStores(file, store).length > 0 ? file : undefined;
}

async function readList(
  session: Session,
  list: string | undefined,
  { map, sheet, journal }: CheckOptions,
) {
  if (list === undefined) return undefined;
  const { readComparedList } = await import('./list.ts');
  return readComparedList({ path: list, map, sheet, journal, signal: session.context.signal });
}

/* Only the match of an earlier record counts. */
async function readEarlier(
  session: Session,
  path: string | undefined,
): Promise<ReadonlyMap<string, Organization>> {
  if (path === undefined) return new Map();
  const { latest } = await readLatest(session, [path], ({ matching_organization }) => ({
    matching_organization,
  }));
  return new Map([...latest.entries()].map(([id, record]) => [String(id), record]));
}

async function readDecisions(path: string): Promise<Decision[]> {
  const source = new InputFile(path);
  const dialect = await detectDialect(source);
  const indexOf = (name: string) =>
    dialect.header.findIndex((header) => header.trim().toLowerCase() === name);
  const [id, rule] = [indexOf('id'), indexOf('rule')];
  if (id < 0 || rule < 0)
    throw invalidInput(
      `--accept: ${path} has no column ${id < 0 ? 'id' : 'rule'}`,
      'Write the columns id and rule, and optionally value, year and until: carbon check --csv prints the first four.',
    );
  const decisions: Decision[] = [];
  for await (const { rows } of readRows(source, dialect)) {
    for (const { line, cells } of rows) {
      const cell = (index: number) => (cells[index] ?? '').trim();
      const until = cell(indexOf('until'));
      if (until !== '' && !/^\d{4}-\d\d-\d\d$/.test(until))
        throw invalidInput(
          `--accept: ${path}, line ${line}: until "${until}" is not a date`,
          'Write dates as YYYY-MM-DD.',
        );
      decisions.push({
        line,
        id: cell(id),
        rule: cell(rule),
        until,
        value: cell(indexOf('value')),
        year: cell(indexOf('year')),
      });
    }
  }
  return decisions;
}
