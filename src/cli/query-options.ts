import { type Command, Option } from 'commander';
import { readCount } from './option-parsers.ts';

/** The options that select columns, rows and their order. */
export interface QueryOptions {
  readonly columns?: string;
  readonly where?: readonly string[];
  readonly sort?: string;
  readonly top?: number;
}

const group = 'Select:';
const maxTop = 1_000_000;

/** Adds the options of a query to a command. */
export function addQueryOptions(command: Command): Command {
  const add = (flags: string, description: string) =>
    new Option(flags, description).helpGroup(group);
  return command
    .addOption(add('--columns <names>', 'print only these CSV columns, separated by commas'))
    .addOption(
      add(
        '--where <condition>',
        'select organizations, such as "score<0.4" or hq_region=DE (repeatable: all must apply)',
      ).argParser((text: string, given: readonly string[] = []) => [...given, text]),
    )
    .addOption(
      add('--sort <names>', 'sort by columns; - before a name: largest first, such as -score'),
    )
    .addOption(
      add('--top <n>', 'print only the first n organizations').argParser(
        readCount('--top', 1, maxTop),
      ),
    );
}

/** Checks whether any option of a query is given. */
export function hasQuery({ columns, where, sort, top }: QueryOptions): boolean {
  return [columns, where, sort, top].some((value) => value !== undefined);
}

/** Returns the options of a query as words of a command line. */
export function queryWords({ columns, where = [], sort, top }: QueryOptions): string[] {
  return [
    ...(columns === undefined ? [] : ['--columns', columns]),
    ...where.flatMap((condition) => ['--where', condition]),
    ...(sort === undefined ? [] : ['--sort', sort]),
    ...(top === undefined ? [] : ['--top', String(top)]),
  ];
}
