import type { Command } from 'commander';
import { grammar } from '../../../query/grammar.ts';
import { addQueryOptions, type QueryOptions } from '../../option-parsers.ts';
import { everyFormat } from '../../output-format.ts';
import type { Run, Session } from '../../session.ts';

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

/** Declares `carbon list`: flags and help. The work is in `list`. */
export function addList(program: Command, run: Run): Command {
  const command = program
    .command('list')
    .description('List the organizations of a snapshot: filter, sort and choose columns')
    .argument('<file...>', 'records from get, watch or batch --json, or - to read standard input')
    .option('--out <file>', 'write the table to a workbook (.xlsx) instead of standard output');
  return addQueryOptions(command)
    .addHelpText('after', howItWorks)
    .action((files: string[], options: ListOptions, command: Command) =>
      run(command, everyFormat, (session) => list(session, files, options)),
    );
}

async function list(
  session: Session,
  files: readonly string[],
  options: ListOptions,
): Promise<number> {
  const { out } = options;
  if (out !== undefined) {
    const { writeSnapshotWorkbook } = await import('../../selection/snapshot-workbook.ts');
    await writeSnapshotWorkbook(session, files, out, options);
    return 0;
  }
  const { selectLatest } = await import('../../selection/select-latest.ts');
  await selectLatest(session, files, options);
  return 0;
}
