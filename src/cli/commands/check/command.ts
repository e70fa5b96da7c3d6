import { checkChanged, checkRecord, checkShared } from '../../../checks/check-records.ts';
import { countsText, type Finding, summarizeFindings } from '../../../checks/findings.ts';
import { type DatedMatch, SharedMatches } from '../../../checks/match-rules.ts';
import {
  findingColumns,
  findingRow,
  renderFindings,
  type ShownFinding,
} from '../../../checks/view.ts';
import { isSynthetic } from '../../../organizations/history.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { plural } from '../../../terminal/format.ts';
import type { CommandDeclaration } from '../../declaration.ts';
import { everyFormat } from '../../declaration.ts';
import { keepOption, outOption, recordFiles } from '../../option-parsers.ts';
import { emit } from '../../output/emit.ts';
import { OutFile } from '../../output/out-file.ts';
import { readLatest } from '../../read-snapshot.ts';
import type { Session } from '../../session.ts';

interface CheckOptions {
  readonly out?: string;
  readonly list?: string;
  readonly map?: readonly string[];
  readonly sheet?: string;
  readonly keep?: string;
}

/** Exit code of a check that found errors. */
const foundErrors = 10;

const notCompared = 'Names were not compared: --list reads the list that you registered.';

const howItWorks = `
Can the figures be right, and does each record belong to the company you meant?
carbon compares the figures of a record with each other, with the year before
and with the industry, and the matched organization with the row of your list
(for records of get or watch, name the list with --list). It sends no requests.
Every rule, with its limit: docs/reference/checks.md

Exit codes: 0 no errors, 10 errors, 1 or 2 failure.`;

/** `carbon check` */
export const checkCommand: CommandDeclaration<CheckOptions> = {
  name: 'check',
  group: 'Use data',
  summary: 'Find figures and matches that cannot be right',
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
      keepOption,
    ],
  },
  examples: [
    'carbon check suppliers.xlsx',
    'carbon check records.ndjson --list suppliers.csv',
    'carbon check suppliers.xlsx -o findings.xlsx',
  ],
  notes: howItWorks,
  formats: everyFormat,
  service: ['--sandbox'],
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
  const { out, keep } = flags;
  const listPath = flags.list ?? (await listAmong(session, files, keep));
  checkFlags(flags, listPath);
  const inputs = [...files, listPath].filter((path) => path !== undefined);
  const target = await OutFile.open(session, out, { extensions: ['.xlsx', '.csv'], inputs });
  const list = await readList(session, listPath, flags);
  const today = new Date(session.context.clock.now()).toISOString().slice(0, 10);
  const { loadCheckOptions } = await import('../../match-checks.ts');
  const options = { today, ...(await loadCheckOptions()) };
  /* The versions of a synced list. */
  const matches = new Map<unknown, DatedMatch[]>();
  const synthetic = new Set<string>();
  const { latest } = await readLatest(
    session,
    files,
    (record, source) => {
      const { id, name, matching_organization } = record;
      const listed = list?.rowsOf(record, source);
      const { validFrom: since } = source;
      if (since !== undefined)
        matches.set(id, [...(matches.get(id) ?? []), { match: matching_organization, since }]);
      const findings = checkRecord(record, listed ?? [], options);
      if (isSynthetic(record)) synthetic.add(String(id));
      return { id, findings, match: { name, matching_organization } };
    },
    { keep, withEarlier: true },
  );
  const shared = new SharedMatches();
  const found: Finding[] = [];
  for (const { id, findings, match } of latest.values()) {
    found.push(...findings);
    if (id === undefined || id === null) continue;
    const { name = null } = match;
    found.push(...checkChanged({ id, name }, matches.get(id) ?? []));
    shared.add(id, match);
  }
  const comparison = list?.compare(new Set([...latest.entries()].map(([id]) => id)));
  const findings = [...checkShared(shared), ...found].map((finding) => ({
    ...finding,
    synthetic: synthetic.has(String(finding.id)),
  }));
  const table = {
    name: 'Findings',
    columns: findingColumns,
    rowsOf: (finding: ShownFinding) => [findingRow(finding)],
    idOf: ({ id }: ShownFinding) => id,
    text: () => [renderFindings(findings, session.view)],
  };
  await emit(session, findings, table, target);
  const summary = summarizeFindings(findings);
  session.summarize(
    {
      level: 'result',
      text: `${plural(latest.size, 'organization')}: ${countsText(summary)}. ${comparison?.text ?? notCompared}`,
    },
    {
      organizations: latest.size,
      errors: summary.error,
      warnings: summary.warning,
      notices: summary.notice,
      list: comparison?.counts,
    },
  );
  return summary.error > 0 ? foundErrors : 0;
}

function checkFlags({ map, sheet }: CheckOptions, list: string | undefined): void {
  const options = { '--map': map, '--sheet': sheet };
  const [given] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (list === undefined && given !== undefined)
    throw new UsageError(`${given} needs --list`, 'It describes the list that you registered.');
}

/* The records of a list are compared with its rows. */
async function listAmong(
  { flags: { sandbox } }: Session,
  files: readonly string[],
  keep: string | undefined,
) {
  const [file, second] = files;
  if (file === undefined || file === '-' || second !== undefined) return undefined;
  const { chooseKept, findStores } = await import('../../../list/kept-files.ts');
  return findStores(file, chooseKept(file, { keep, sandbox })).length > 0 ? file : undefined;
}

async function readList(
  session: Session,
  list: string | undefined,
  { map, sheet, keep }: CheckOptions,
) {
  if (list === undefined) return undefined;
  const { readComparedList } = await import('./list.ts');
  const { context, flags } = session;
  const { sandbox } = flags;
  return readComparedList({ path: list, map, sheet, keep, sandbox, signal: context.signal });
}
