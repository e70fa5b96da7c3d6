/* Collects everything that the reference and the manual pages document. */
import packageJson from '../../package.json' with { type: 'json' };
import {
  describeOption,
  exitCodes,
  programExamples,
  programSummary,
  topics,
  usageOf,
  variables,
} from '../../src/cli/help.ts';
import {
  applicableGlobals,
  type CommandDeclaration,
  globalOptions,
  type OptionSpec,
} from '../../src/cli/options.ts';
import { loadDeclarations } from '../../src/cli/program.ts';
import { kindOf } from '../../src/display/query/kinds.ts';
import { rules } from '../../src/portfolio/checks/check-records.ts';
import { comparedColumns } from '../../src/portfolio/footprint/views/bridge.ts';
import { supplierColumns } from '../../src/portfolio/footprint/views/goal-suppliers.ts';
import { lineItemColumns } from '../../src/portfolio/footprint/views/workbook.ts';
import type { RecordColumn } from '../../src/portfolio/organizations/columns.ts';
import {
  organizationTable,
  sourceSheet,
  yearTable,
} from '../../src/portfolio/organizations/tables.ts';
import { type Block, readBlocks } from './help-text.ts';

/** A flag, an argument, an environment variable or a column, with its meaning. */
export interface Entry {
  readonly term: string;
  readonly meaning: string;
}

export interface Column extends Entry {
  readonly type: string;
}

/** The help of the program or of one command, in parts. */
export interface CommandHelp {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly arguments: readonly Entry[];
  /** Options of the command by heading, without the global options. */
  readonly groups: readonly { readonly heading: string; readonly entries: readonly Entry[] }[];
  readonly globals: readonly Entry[];
  readonly notes: readonly Block[];
  readonly examples: readonly string[];
  /** The members of its JSON document, if no other command prints it. */
  readonly document?: Readonly<Record<string, string>> | undefined;
}

/** A help topic with a table: the text above and below it, and its rows. */
export type Topic = ReturnType<typeof readTopic>;

export type Documented = Awaited<ReturnType<typeof readProgram>>;

/** Reads the program. The result depends only on the sources and the version in package.json. */
export async function readProgram() {
  const program: CommandHelp = {
    name: 'carbon',
    usage: 'carbon <command> [options]',
    summary: programSummary,
    arguments: [],
    groups: [],
    globals: globalOptions.map(entryOf),
    notes: [],
    examples: programExamples,
  };
  return {
    version: packageJson.version,
    program,
    commands: (await loadDeclarations()).map(readHelp),
    environment: readTopic('environment', Object.entries(variables)),
    exitCodes: readTopic('exit-codes', exitCodes),
    csvColumns: organizationTable.written.map(typedColumn),
    furtherColumns: organizationTable.columns
      .filter((column) => !organizationTable.written.includes(column))
      .map(typedColumn),
    yearColumns: yearTable.written.map(typedColumn),
    sourceColumns: sourceSheet.written.map(typedColumn),
    columnAliases: Object.entries(organizationTable.aliases),
    lineItemColumns: lineItemColumns.map(typedColumn),
    supplierColumns: supplierColumns(true).map(typedColumn),
    comparedColumns: comparedColumns.map(typedColumn),
    rules,
  };
}

type Described = Pick<RecordColumn, 'name' | 'description' | 'kind'>;

const typedColumn = ({ name, description, kind }: Described): Column => ({
  term: name,
  meaning: description,
  type: kindOf(kind).type,
});

function readHelp(declaration: CommandDeclaration): CommandHelp {
  const { name, summary, arguments: operands = [], options = {}, notes = '' } = declaration;
  return {
    name: `carbon ${name}`,
    usage: usageOf(declaration),
    summary,
    arguments: operands
      .filter(({ description }) => description !== '')
      .map(({ term, description }) => ({ term, meaning: description })),
    groups: Object.entries(options).map(([heading, specs]) => ({
      heading,
      entries: specs.map(entryOf),
    })),
    globals: applicableGlobals(declaration).map(entryOf),
    notes: readBlocks(notes.trim()),
    examples: declaration.examples,
    document: declaration.document,
  };
}

function entryOf(option: OptionSpec): Entry {
  return { term: option.flags, meaning: describeOption(option) };
}

/* Removes the indented columns of the topic, which become a table in the documents. */
function readTopic(name: string, rows: readonly (readonly string[])[]) {
  const blocks = readBlocks(topics[name]?.() ?? '');
  const table = blocks.findIndex(({ kind }) => kind === 'verbatim');
  return { above: blocks.slice(0, table), rows, below: blocks.slice(table + 1) };
}
