import { grammar } from '../../query/grammar.ts';
import type { CommandDeclaration } from '../declaration.ts';
import { type QueryOptions, queryOptions } from '../option-parsers.ts';
import { everyFormat } from '../output-format.ts';
import type { Session } from '../session.ts';

const howItWorks = `
Several files form one snapshot. If an id occurs more than once, carbon uses
its latest record. It needs no service.

Conditions:
${grammar
  .filter(({ form }) => form.startsWith('--where'))
  .map(({ example }) => `  ${example}`)
  .join('\n')}

Missing values come last in both directions of --sort. They meet != and no
other comparison; "score=" selects them, and "score!=" all others.

Columns have the names of --csv: id, name, hq_region, industry_name, score,
emissions, emissions_scope_1, sbti_near_term and others. An unknown name leads
to a suggestion.

--json prints the selected records unchanged.`;

interface ListOptions extends QueryOptions {
  readonly out?: string;
}

/** `carbon list` */
export const listCommand: CommandDeclaration<ListOptions> = {
  name: 'list',
  group: 'Use data',
  summary: 'List the organizations of a snapshot: filter, sort and choose columns',
  arguments: [
    {
      term: '<file...>',
      description: 'records from get, watch or batch --json, or - to read standard input',
      values: 'files',
    },
  ],
  options: [
    queryOptions,
    {
      heading: 'Output',
      options: [
        {
          flags: '--out <file>',
          description: 'write the table to a workbook (.xlsx) instead of standard output',
        },
      ],
    },
  ],
  examples: [
    'carbon list records.ndjson --where "sbti_near_term!=set" --columns id,name',
    'carbon list records.ndjson --sort -emissions --top 20',
    'carbon list records.ndjson --where hq_region=DE --sort score --csv > de.csv',
  ],
  notes: howItWorks,
  formats: everyFormat,
  missing: [
    'a file',
    'Try `carbon list records.ndjson`, or `carbon list -` to read standard input.',
  ],
  synonyms: ['ls', 'filter', 'query', 'sort', 'select'],
  run: list,
};

async function list(
  session: Session,
  files: readonly string[],
  options: ListOptions,
): Promise<number> {
  const { out } = options;
  if (out !== undefined) {
    const { writeSnapshotWorkbook } = await import('../selection/snapshot-workbook.ts');
    await writeSnapshotWorkbook(session, files, out, options);
    return 0;
  }
  const { selectLatest } = await import('../selection/select-latest.ts');
  await selectLatest(session, files, options);
  return 0;
}
