import type { Organization } from '../../api/schema.ts';
import { checkRecord, type Known, rules, SharedMatchCheck } from '../../checks/check-records.ts';
import { type Decision, review } from '../../checks/decisions.ts';
import { countFindings, type Finding } from '../../checks/finding.ts';
import {
  describeLapsed,
  findingColumns,
  findingRow,
  renderFindings,
  summarize,
} from '../../checks/view.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { detectDialect } from '../../table/dialect.ts';
import { InputFile } from '../../table/input-file.ts';
import { readRows } from '../../table/rows.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import type { CommandDeclaration } from '../declaration.ts';
import { outOption } from '../option-parsers.ts';
import { everyFormat } from '../output-format.ts';
import { readLatest } from '../read-snapshot.ts';
import type { Session } from '../session.ts';

interface CheckOptions {
  readonly out?: string;
  readonly previous?: string;
  readonly accept?: string;
}

/** Exit code of a check that found errors or warnings. */
const foundProblems = 10;

const howItWorks = `
Can the figures be right, and does each record belong to the company you meant?
carbon compares the figures of a record with each other, with the year before
and with the industry. It sends no requests.

--accept reads a CSV file with the columns id and rule, and optionally value,
year and until (YYYY-MM-DD): findings that you have reviewed. The output of
--csv is such a file.

Exit codes: 0 no errors or warnings, 10 errors or warnings, 1 or 2 failure.`;

/** `carbon check` */
export const checkCommand: CommandDeclaration<CheckOptions> = {
  name: 'check',
  group: 'Use data',
  summary: 'Check whether records can be right',
  arguments: [
    {
      term: '<file...>',
      description: 'records from get or watch --json, or - to read standard input',
      values: 'files',
    },
  ],
  options: [
    {
      heading: 'Options',
      options: [
        outOption('.xlsx or .csv'),
        {
          flags: '--previous <file>',
          description: 'earlier records, to find matches that changed',
        },
        { flags: '--accept <file>', description: 'leave out the findings in this CSV file' },
      ],
    },
  ],
  examples: [
    'carbon check records.ndjson',
    'carbon check records.ndjson --accept reviewed.csv -o findings.xlsx',
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
  { out, previous, accept }: CheckOptions,
): Promise<number> {
  const { OutFile } = await import('../output/out-file.ts');
  const inputs = [...files, previous, accept].filter((path) => path !== undefined);
  const target =
    out === undefined
      ? undefined
      : await OutFile.open(session, out, {
          extensions: ['.xlsx', '.csv'],
          inputs,
          columns: findingColumns,
          mayBeEmpty: true,
        });
  const decisions = accept === undefined ? [] : await readDecisions(accept);
  const earlier = await readEarlier(session, previous);
  const today = new Date(session.context.clock.now()).toISOString().slice(0, 10);
  const { getDomain } = await import('tldts-icann');
  const options = { today, domainOf: (address: string) => getDomain(address) ?? undefined };
  const { latest } = await readLatest(session, files, (record) => {
    const known: Known = { earlier: earlier.get(String(record.id)) };
    const { id, name, matching_organization } = record;
    const findings = checkRecord(record, known, options);
    return { id, findings, match: { name, matching_organization } };
  });
  const shared = new SharedMatchCheck();
  const found: Finding[] = [];
  for (const { id, findings, match } of latest.values()) {
    found.push(...findings);
    if (id !== undefined && id !== null) shared.add(id, match);
  }
  const names = new Set(rules.map(({ name }) => name));
  const reviewed = review([...shared.findings(), ...found], decisions, names, today);
  for (const lapsed of reviewed.lapsed) session.messages.warn(describeLapsed(lapsed, accept ?? ''));
  const { findings } = reviewed;
  if (target === undefined) await print(session, findings);
  else
    await target.writeTable({
      name: 'Findings',
      columns: findingColumns,
      rows: findings.map(findingRow),
    });
  const counts = countFindings(findings);
  const isUnlisted = ' Without the list, carbon cannot compare names.';
  session.messages.print({
    level: 'result',
    text: `${summarize(latest.size, reviewed)}.${isUnlisted}`,
    event: {
      event: 'findings',
      organizations: latest.size,
      errors: counts.error,
      warnings: counts.warning,
      notices: counts.notice,
      accepted: reviewed.accepted,
    },
  });
  return counts.error + counts.warning > 0 ? foundProblems : 0;
}

async function print(session: Session, findings: readonly Finding[]): Promise<void> {
  const { format } = session;
  if (format === 'json') for (const finding of findings) session.printJson(JSON.stringify(finding));
  else if (format === 'csv') {
    const { renderCsvLine } = await import('../../table/output-cell.ts');
    for (const row of [findingColumns, ...findings.map(findingRow)])
      session.print(renderCsvLine(row));
  } else if (format === 'ids') {
    const ids = new Set(findings.map(({ id }) => sanitize(String(id ?? ''))));
    for (const id of ids) if (id !== '') session.print(`${id}\n`);
  } else session.print(renderFindings(findings, session.view));
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
    throw new UsageError(
      `--accept: ${path} has no column ${id < 0 ? 'id' : 'rule'}`,
      'Write the columns id and rule, and optionally value, year and until: carbon check --csv prints the first four.',
      'invalid_input',
    );
  const decisions: Decision[] = [];
  for await (const { rows } of readRows(source, dialect)) {
    for (const { line, cells } of rows) {
      const cell = (index: number) => (cells[index] ?? '').trim();
      const until = cell(indexOf('until'));
      if (until !== '' && !/^\d{4}-\d\d-\d\d$/.test(until))
        throw new UsageError(
          `--accept: ${path}, line ${line}: until "${until}" is not a date`,
          'Write dates as YYYY-MM-DD.',
          'invalid_input',
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
