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

/** What carbon is, in one sentence without a full stop. */
export const programSummary =
  'Climate data for every company on your list: emissions, scores and targets, as Excel, CSV, JSON or a report';

export function usageOf({ name, usage, arguments: operands = [], options }: CommandDeclaration) {
  const words = [...operands.map(({ term }) => term), ...(options ? ['[options]'] : [])];
  return `carbon ${name} ${usage ?? words.join(' ')}`.trim();
}

export function describeOption({ description, default: value, shownDefault }: OptionSpec): string {
  const shown = shownDefault ?? value;
  return shown === undefined ? description : `${description} (default: ${shown})`;
}

export function renderCommandHelp(declaration: CommandDeclaration): string {
  const { summary, arguments: operands = [], options = {}, notes, examples } = declaration;
  const described = operands.filter(({ description }) => description !== '');
  const terms = described.map(({ term, description }) => [term, description]);
  return join([
    [`Usage: ${usageOf(declaration)}`],
    wrap(`${summary}.`, columns),
    heading('Examples', examples.map(indent)),
    heading('Arguments', renderColumns(terms)),
    ...renderGroups(options),
    notes === undefined ? [] : [notes.trim()],
    ['Global options: carbon help options'],
  ]);
}

export function renderProgramHelp(declarations: readonly CommandDeclaration[]): string {
  const width = Math.max(...declarations.map(({ name }) => name.length));
  const groups = commandGroups.map((group) => {
    const declared = declarations.filter((declaration) => declaration.group === group);
    const rows = declared.map(({ name, summary }) => [name.padEnd(width), summary]);
    return heading(group, renderColumns(rows));
  });
  return join([
    ['Usage: carbon <command> [options]'],
    wrap(`${programSummary}.`, columns),
    heading('Examples', programExamples.map(indent)),
    ...groups,
    ...renderGroups({ 'Global options': globalOptions }),
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

export function renderGroups(groups: OptionGroups): string[][] {
  const all = Object.values(groups).flat();
  const width = Math.max(0, ...all.map(({ flags }) => flags.length));
  return Object.entries(groups).map(([title, options]) => {
    const rows = options.map((option) => [option.flags.padEnd(width), describeOption(option)]);
    return heading(title, renderColumns(rows));
  });
}

const indent = (line: string) => `  ${line}`;

function heading(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines];
}

function join(blocks: readonly (readonly string[])[]): string {
  const shown = blocks.filter((lines) => lines.length > 0);
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
