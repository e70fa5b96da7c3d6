import { renderColumns } from '../../terminal/columns.ts';
import { wrap } from '../../terminal/text.ts';
import {
  type CommandDeclaration,
  commandGroups,
  type OptionGroups,
  type OptionSpec,
} from '../declaration.ts';
import { globalOptions } from '../global-options.ts';

const columns = 80;
const maxShortExamples = 3;

/** What carbon is, in one sentence without a full stop. */
export const programSummary =
  'Climate data for every company on your list: emissions, scores and targets, as Excel, CSV, JSON or a report';

/** Which help: that of -h, or that of --help and `carbon help`. */
export type HelpLength = 'short' | 'long';

/** Returns the command with its operands, such as `carbon list <file...> [options]`. */
export function usageOf({ name, usage, arguments: operands = [], options }: CommandDeclaration) {
  const words = [...operands.map(({ term }) => term), ...(options ? ['[options]'] : [])];
  return `carbon ${name} ${usage ?? words.join(' ')}`.trim();
}

export function describeOption({ description, default: value, shownDefault }: OptionSpec): string {
  const shown = shownDefault ?? value;
  return shown === undefined ? description : `${description} (default: ${shown})`;
}

export function renderCommandHelp(declaration: CommandDeclaration, length: HelpLength): string {
  const { name, summary, arguments: operands = [], options = {}, notes, examples } = declaration;
  const isLong = length === 'long';
  const described = operands.filter(({ description }) => description !== '');
  const hasMore = notes !== undefined || described.length > 0 || examples.length > maxShortExamples;
  return join([
    [`Usage: ${usageOf(declaration)}`],
    wrap(`${summary}.`, columns),
    heading('Examples', examples.slice(0, isLong ? undefined : maxShortExamples).map(indent)),
    heading(
      'Arguments',
      isLong ? renderColumns(described.map(({ term, description }) => [term, description])) : [],
    ),
    ...renderGroups(options),
    isLong && notes !== undefined ? [notes.trim()] : [],
    [
      ...(isLong || !hasMore ? [] : [`Details: carbon help ${name}`]),
      'Global options: carbon help options',
    ],
  ]);
}

export function renderProgramHelp(
  declarations: readonly CommandDeclaration[],
  length: HelpLength,
): string {
  const width = Math.max(...declarations.map(({ name }) => name.length));
  return join([
    ['Usage: carbon <command> [options]'],
    wrap(`${programSummary}.`, columns),
    heading('Examples', programExamples.map(indent)),
    ...commandGroups.map((group) =>
      heading(
        group,
        renderColumns(
          declarations
            .filter((declaration) => declaration.group === group)
            .map(({ name, summary }) => [name.padEnd(width), summary]),
        ),
      ),
    ),
    ...(length === 'long' ? renderGroups({ 'Global options': globalOptions }) : []),
    [
      'Help: carbon help <command>, or one of carbon help columns, environment,',
      'exit-codes and options',
    ],
  ]);
}

export const programExamples = [
  'carbon sync suppliers.csv --sandbox',
  'carbon register --sandbox --name "Acme AG" --hq-region DE --wait',
  'carbon login --base-url https://api.example.com',
];

/** Renders options by group, with all terms in one column. */
export function renderGroups(groups: OptionGroups): string[][] {
  const flags = Object.values(groups).flatMap((options) => options.map((option) => option.flags));
  const width = Math.max(0, ...flags.map((each) => each.length));
  return Object.entries(groups).map(([title, options]) =>
    heading(
      title,
      renderColumns(options.map((option) => [option.flags.padEnd(width), describeOption(option)])),
    ),
  );
}

const indent = (line: string) => `  ${line}`;

function heading(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines];
}

function join(blocks: readonly (readonly string[])[]): string {
  const shown = blocks.filter((lines) => lines.length > 0);
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
