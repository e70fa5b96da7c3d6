import { grammar } from '../../query/query.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import type { CommandDeclaration } from '../declaration.ts';
import { everyFormat } from '../declaration.ts';
import type { ListOptions } from '../list-records.ts';
import { atOption, keepOption, outOption, readCount, recordFiles } from '../option-parsers.ts';

const howItWorks = `
carbon list works offline. Several files form one list. If an ID occurs more
than once, the record that was retrieved last counts.

Conditions:
${grammar
  .filter(({ form }) => form.startsWith('--where'))
  .map(({ example }) => `  ${example}`)
  .join('\n')}

Missing values come last. "score=" selects them, and "score!=" all others. They
match != with any value, but no other condition.

Columns have the names of --csv: id, name, hq_region, industry_name, score,
scope_1, scope_2, scope_3, total, sbti_near_term and others (carbon help
columns). Scores are from 0 to 100.

--group-by hq_region --sum scope_1,scope_2 adds up both columns, and shows how
many organizations and which years are behind each sum. To add up one year, use
--years --where year=2024. Scope 3 and totals cannot be added up,
because the sum would count emissions twice.

--json prints the selected records unchanged.`;

const maxTop = 1_000_000;

/** `carbon list` */
export const listCommand: CommandDeclaration<ListOptions> = {
  name: 'list',
  group: 'Use data',
  summary: 'List organizations from records: filter, sort, choose columns and group',
  arguments: [recordFiles],
  options: {
    Select: [
      {
        flags: '--columns <names>',
        description: 'show only these columns, separated by commas',
        values: columnNames,
        parse: once('--columns'),
      },
      {
        flags: '--where <condition>',
        description:
          'select organizations, such as "score<40" or hq_region=DE (repeatable: all must apply)',
        values: columnNames,
        parse: (text, given: readonly string[] = []) => [...given, text],
      },
      {
        flags: '--sort <names>',
        description:
          'sort by these columns; prefix a name with - for descending order, such as -score',
        values: columnNames,
        parse: once('--sort'),
      },
      {
        flags: '--top <n>',
        description: 'show only the first n rows',
        parse: readCount('--top', 1, maxTop),
      },
      { flags: '--years', description: 'show a row for each organization, year and region' },
      atOption,
      keepOption,
    ],
    Group: [
      {
        flags: '--group-by <names>',
        description: 'count organizations by the values of these columns',
        values: columnNames,
        parse: once('--group-by'),
      },
      {
        flags: '--sum <names>',
        description: 'with --group-by: add up these columns, such as scope_1,scope_2',
        values: columnNames,
        parse: once('--sum'),
      },
    ],
    Output: [outOption('.xlsx, .csv or .ndjson')],
  },
  examples: [
    'carbon list suppliers.xlsx --where "sbti_near_term!=set" --columns id,name',
    'carbon list suppliers.xlsx --sort -scope_1 --top 20',
    'carbon list suppliers.xlsx --where hq_region=DE --sort score -o de.xlsx',
    'carbon list suppliers.xlsx --group-by hq_region --sum scope_1,scope_2',
  ],
  notes: howItWorks,
  formats: everyFormat,
  service: ['--sandbox'],
  missing: [
    'a file',
    'Try `carbon list records.ndjson`, or `carbon list -` to read standard input.',
  ],
  synonyms: ['ls', 'filter', 'query', 'sort', 'select'],
  run: async (session, files, options) => {
    const { listRecords } = await import('../list-records.ts');
    await listRecords(session, files, options);
    return 0;
  },
};

async function columnNames(): Promise<readonly string[]> {
  const { organizationTable } = await import('../output/record-tables.ts');
  return organizationTable.columns.map(({ name }) => name);
}

/* Returns a parser that refuses a second list of columns, which would replace the first one. */
function once(flag: string): (text: string, given?: string) => string {
  return (text, given) => {
    if (given === undefined) return text;
    throw new UsageError(
      `${flag} was given twice: "${given}" and "${text}"`,
      `Separate columns with commas: ${flag} ${given},${text}`,
    );
  };
}
