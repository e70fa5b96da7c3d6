/* Generates the Markdown reference. */
import { type Block, wrapWords } from './help-text.ts';
import type { Column, CommandHelp, Documented, Entry, Topic } from './program.ts';

const generated =
  '<!-- `npm run docs` generates this page from the program: edit the source instead. -->';
const columns = 100;

/** Returns every page of docs/reference/ by its path. */
export function writeReference(documented: Documented): Record<string, string> {
  const pages = {
    commands: commandsPage(documented),
    'csv-columns': csvPage(documented),
    'exit-codes': [
      '# Exit codes',
      ...topicBlocks(documented.exitCodes, ['code', 'name', 'meaning']),
    ],
    checks: [
      '# Rules of carbon check',
      prose(
        '[Check](../report.md#check-carbon-check) shows how to use them. A terminal and a workbook have the finding in words, `--json` and `--csv` its code. Figures are compared within one year and region, and changes between consecutive years of one region.',
      ),
      table(
        ['code', 'finding', 'severity', 'what it reports', 'why', 'what to do'],
        documented.rules.map(({ name, words, severity, limit, reason, step }) => [
          code(name),
          escapeText(words),
          severity,
          escapeText(limit),
          escapeText(reason),
          escapeText(step),
        ]),
      ),
    ],
    environment: [
      '# Environment variables',
      ...topicBlocks(documented.environment, ['variable', 'meaning']),
    ],
  };
  return Object.fromEntries(
    Object.entries(pages).map(([name, blocks]) => [`docs/reference/${name}.md`, writePage(blocks)]),
  );
}

/** Writes a generated page of these blocks. */
export const writePage = (blocks: readonly string[]): string =>
  `${[generated, ...blocks].join('\n\n')}\n`;

function commandsPage({ program, commands }: Documented): string[] {
  const link = ({ name }: CommandHelp) => `[\`${name}\`](#${name.replaceAll(' ', '-')})`;
  return [
    '# Commands',
    table(
      ['command', 'what it does'],
      commands.map((command) => [link(command), escapeText(command.summary)]),
    ),
    ...commands.flatMap(commandBlocks),
    '## Global options',
    prose('Global options may come before or after the command.'),
    entryTable('option', program.globals),
  ];
}

function commandBlocks(command: CommandHelp): string[] {
  const globals = command.globals.map(({ term }) => code(term.replace(/^-\w, | <.*/g, '')));
  return [
    `## ${command.name}`,
    prose(escapeText(command.summary.replace(/\.?$/, '.'))),
    fence('text', [command.usage]),
    fence('sh', command.examples),
    ...(command.arguments.length > 0 ? [entryTable('argument', command.arguments)] : []),
    ...command.groups.flatMap(({ heading, entries }) => [
      `${heading}:`,
      entryTable('option', entries),
    ]),
    ...(globals.length > 0
      ? [prose(`[Global options](#global-options): ${globals.join(', ')}.`)]
      : []),
    ...command.notes.map(writeBlock),
  ];
}

function csvPage(documented: Documented): string[] {
  const { csvColumns, furtherColumns, yearColumns, sourceColumns } = documented;
  const { columnAliases, lineItemColumns, supplierColumns, comparedColumns } = documented;
  return [
    '# CSV columns',
    prose(
      '`--csv` prints these columns, in this order. [Scripts and output](../scripts.md#csv) explains the format.',
    ),
    columnTable(csvColumns),
    '## Further columns',
    prose('`carbon list` also knows these columns; a pipe shows them after the others.'),
    columnTable(furtherColumns),
    '## Years',
    prose('`carbon list --years` has a row for each organization, year and region.'),
    columnTable(yearColumns),
    '## Sources',
    prose('The sheet Sources of `carbon list -o` has a row for each source.'),
    columnTable(sourceColumns),
    '## Short names',
    prose(
      'A query may use these names for columns, and a dot or a hyphen for `_`: `scope.1` is `scope_1`.',
    ),
    table(
      ['short name', 'column'],
      columnAliases.map(([alias, column]) => [code(alias), code(column)]),
    ),
    '## Line items of a footprint',
    prose(
      '`carbon footprint --csv` prints these columns, one row per supplier, name, currency, year and category. [Footprint](../footprint.md#the-line-items) explains them.',
    ),
    entryTable('column', lineItemColumns),
    '## Suppliers and a goal',
    prose(
      '`carbon footprint --goal --csv` prints these columns, one row per supplier. [Footprint](../footprint.md#a-goal-for-your-suppliers) explains them.',
    ),
    entryTable('column', supplierColumns),
    '## Changes of a footprint',
    prose(
      '`carbon footprint --compare --csv` prints these columns, one row per step, supplier and currency. [Footprint](../footprint.md#what-changed) explains them.',
    ),
    entryTable('column', comparedColumns),
  ];
}

const columnTable = (columns: readonly Column[]) =>
  table(
    ['column', 'type', 'meaning'],
    columns.map(({ term, type, meaning }) => [code(term), type, escapeText(meaning)]),
  );

function topicBlocks({ above, rows, below }: Topic, headers: readonly string[]): string[] {
  const cells = rows.map(([term = '', ...rest]) => [code(term), ...rest.map(escapeText)]);
  return [...above.map(writeBlock), table(headers, cells), ...below.map(writeBlock)];
}

function entryTable(header: string, entries: readonly Entry[]): string {
  return table(
    [header, 'meaning'],
    entries.map(({ term, meaning }) => [code(term), escapeText(meaning)]),
  );
}

/** Writes a table; cells may contain any text. */
export function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(headers), line(headers.map(() => '---')), ...rows.map(line)].join('\n');
}

function writeBlock(block: Block): string {
  return block.kind === 'prose' ? prose(escapeText(block.text)) : fence('text', block.lines);
}

/** Wraps a paragraph that may contain markup. */
export const prose = (text: string): string => wrapWords(text, columns);
/** Writes a text as code. */
export const code = (text: string): string => `\`${text}\``;
/** Writes lines as a block of code. */
export const fence = (language: string, lines: readonly string[]): string =>
  [`\`\`\`${language}`, ...lines, '```'].join('\n');

/* Escapes `<` and `*`, except in code between backticks. */
/** Escapes markup in a text of the program. */
export function escapeText(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[<*]/g, '\\$&')))
    .join('');
}
