/*
 * A whole command, to copy: it counts organizations by industry from the latest records of files.
 * In src/cli/commands/portfolio/, `../../src/cli/` is `../../`, and `../../src/` is `../../../`.
 */
import {
  type CommandDeclaration,
  keepOption,
  type OptionGroups,
  type OptionValues,
  outOption,
  recordFiles,
  sheetOption,
} from '../../src/cli/options.ts';
import { openOut, show } from '../../src/cli/output/show.ts';
import { readLatest } from '../../src/cli/read-snapshot.ts';
import type { Session } from '../../src/cli/session.ts';
import type { Organization } from '../../src/client/api/schema.ts';
import { type Column, foldText } from '../../src/display/query/query.ts';
import { plural } from '../../src/display/terminal/format.ts';
import { isSynthetic } from '../../src/portfolio/organizations/history.ts';
import { command, hint } from '../../src/runtime/hint.ts';

const options = {
  Options: [
    { flags: '--known', description: 'leave out organizations without an industry' },
    sheetOption,
    outOption(['.xlsx', '.csv']),
    keepOption,
  ],
} as const satisfies OptionGroups;

/* Inside a function with a parameter named options, `typeof options` would be the parameter. */
type IndustryOptions = OptionValues<typeof options>;

export const industriesCommand: CommandDeclaration<typeof options> = {
  name: 'industries',
  group: 'Portfolio',
  summary: 'Count the organizations of each industry',
  arguments: [recordFiles],
  options,
  examples: ['carbon industries suppliers.csv', 'carbon industries records.ndjson --csv'],
  formats: ['human', 'json', 'csv'],
  document: {
    industry: 'name, or null',
    organizations: 'number of organizations',
    synthetic: 'true for data of the sandbox, otherwise null',
  },
  service: ['--sandbox'],
  // As data, so that the command gets the options of the run, such as --sandbox.
  missing: ['a file', hint`Try ${command`industries suppliers.csv`}.`],
  run: countIndustries,
};

/* A row, which --json prints: null for what is missing, because JSON omits undefined. */
interface Industry {
  readonly industry: string | null;
  organizations: number;
  synthetic: true | null;
}

/* A column with a title is shown in a terminal. The kind decides how a value is written. */
const columns: readonly Column<Industry>[] = [
  {
    name: 'industry',
    title: 'Industry',
    description: 'Name of the industry',
    kind: 'name',
    value: ({ industry }) => industry,
  },
  {
    name: 'organizations',
    title: 'Organizations',
    description: 'Number of organizations',
    kind: 'count',
    value: ({ organizations }) => organizations,
  },
  // Data of the sandbox is marked in every result; the column is the last one.
  {
    name: 'synthetic',
    description: 'Whether this is synthetic data of the sandbox; empty if not',
    kind: 'synthetic',
    value: ({ synthetic }) => synthetic,
  },
];

async function countIndustries(
  session: Session,
  files: readonly string[],
  { known, out, keep, sheet }: IndustryOptions,
): Promise<number> {
  const file = await openOut(session, out, { extensions: ['.xlsx', '.csv'], inputs: files });
  // What is kept of each record decides how much memory a large file takes.
  const keepOf = (record: Organization) => ({
    industry: record.industry?.name ?? null,
    isSynthetic: isSynthetic(record),
  });
  const { latest } = await readLatest(session, files, keepOf, { keep, sheet, out: file });
  // Like `list --group-by`, which has one group for texts that differ only in case.
  const found = new Map<string, Industry>();
  for (const { industry, isSynthetic: isMarked } of latest.values()) {
    const key = foldText(industry ?? '');
    if (known && key === '') continue;
    const row = found.get(key) ?? { industry, organizations: 0, synthetic: null };
    row.organizations += 1;
    row.synthetic ||= isMarked || null;
    found.set(key, row);
  }
  const rows = [...found.values()];
  rows.sort((a, b) => b.organizations - a.organizations);
  const synthetic = rows.some((row) => row.synthetic);
  await show(session, { table: { name: 'Industries', columns, rows, synthetic } }, file);
  // The row of the organizations without an industry is not an industry.
  const industries = rows.length - (found.has('') ? 1 : 0);
  session.summarize(
    { level: 'result', text: plural(industries, 'industry', 'industries') },
    { industries },
  );
  return 0;
}
