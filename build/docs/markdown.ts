/* Generates the Markdown reference. */
import { type Block, wrapWords } from './help-text.ts';
import type { Column, CommandHelp, Documented, Entry, Topic } from './program.ts';
import {
  batchLines,
  otherErrors,
  reportSummary,
  responseNotes,
  responses,
  sandboxNames,
} from './tables.ts';

const generated =
  '<!-- `npm run docs` generates this page from the program: edit the source instead. -->';
const columns = 100;

/** Returns every page of docs/reference/ by its path. */
export function writeReference(documented: Documented): Record<string, string> {
  const pages = {
    commands: commandsPage(documented),
    'csv-columns': csvPage(documented),
    json: jsonPage(documented),
    'exit-codes': [
      '# Exit codes',
      ...topicBlocks(documented.exitCodes, ['code', 'name', 'meaning']),
      '## Error codes',
      prose('`--json` prints these codes. A response of the service leads to one of them:'),
      table(['response', 'code', 'exit'], responses),
      prose('Other errors have these codes:'),
      table(['code', 'exit'], otherErrors),
      ...responseNotes.map(prose),
    ],
    checks: [
      '# Rules of carbon check',
      prose(
        '[Check](../report.md#check-carbon-check) shows how to use them. Figures are compared within one year and region, and changes between consecutive years of one region.',
      ),
      table(
        ['rule', 'severity', 'what it reports', 'why'],
        documented.rules.map(({ name, severity, limit, reason }) => [
          code(name),
          severity,
          escapeText(limit),
          escapeText(reason),
        ]),
      ),
    ],
    sandbox: [
      '# Test names of the sandbox',
      prose(
        'The sandbox treats these names specially. A further word makes another organization: `Sandbox errored 2`. The upstream factors of all other names exclude scopes 1 and 2.',
      ),
      table(['name', 'effect'], sandboxNames),
    ],
    environment: [
      '# Environment variables',
      ...topicBlocks(documented.environment, ['variable', 'meaning']),
    ],
  };
  return Object.fromEntries(
    Object.entries(pages).map(([name, blocks]) => [
      `docs/reference/${name}.md`,
      `${[generated, ...blocks].join('\n\n')}\n`,
    ]),
  );
}

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
    optionTable([...program.groups.flatMap(({ entries }) => entries), ...program.globals]),
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
    ...command.groups.flatMap(({ heading, entries }) => [`${heading}:`, optionTable(entries)]),
    ...(globals.length > 0
      ? [prose(`[Global options](#global-options): ${globals.join(', ')}.`)]
      : []),
    ...command.notes.map(writeBlock),
  ];
}

function csvPage(documented: Documented): string[] {
  const { csvColumns, furtherColumns, yearColumns, sourceColumns } = documented;
  const { columnAliases, grammar, lineItemColumns } = documented;
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
    '## Queries',
    prose(
      '`carbon list` selects organizations and columns. Values have the type of their column, and scores are from 0 to 100. Upper case counts as lower case, and a dot or a hyphen in a column name as `_`: `scope.1` is `scope_1`.',
    ),
    table(
      ['form', 'meaning', 'example'],
      grammar.map(({ form, meaning, example }) => [code(form), escapeText(meaning), code(example)]),
    ),
    '## Short names',
    prose('A query may use these names for columns.'),
    table(
      ['short name', 'column'],
      columnAliases.map(([alias, column]) => [code(alias), code(column)]),
    ),
    '## Line items of a footprint',
    prose(
      '`carbon footprint --csv` prints these columns, one row per supplier, currency, year and category. [Footprint](../footprint.md#the-line-items) explains them.',
    ),
    entryTable('column', lineItemColumns),
  ];
}

function jsonPage({ record, registration, statuses, ranks }: Documented): string[] {
  const list = (values: readonly string[]) => `${values.map(code).join(', ')}.`;
  return [
    '# JSON documents',
    prose('[Scripts and output](../scripts.md#json) shows which command prints which document.'),
    '## Record',
    prose(
      '`carbon get --json` and `carbon watch --json` print the record as the service sent it. Any field may be absent or null, and a service may send further fields.',
    ),
    table(
      ['field', 'type'],
      record.map(({ path, type }) => [code(path), type]),
    ),
    prose(
      `Known values of \`status\`: ${list(statuses)} Any other value means that research is in progress.`,
    ),
    prose(`Known values of \`industry_rank\` and \`region_rank\`: ${list(ranks)}`),
    '## Registration',
    prose('The body of a registration, as `carbon register --dry-run` prints it.'),
    table(
      ['field', 'type', 'meaning'],
      registration.map(({ path, type, isRequired, meaning }) => [
        code(path),
        isRequired ? `${type}, required` : type,
        escapeText(meaning),
      ]),
    ),
    '## Rows of a batch',
    prose(
      '`carbon batch --json` prints one of these lines for each row. `carbon sync --json` prints every registered row with its `status` and latest `record`, or `null` without one, and ends with a line `{"summary": ...}`.',
    ),
    table(['row', 'line'], batchLines),
    prose(
      'The summary of `batch` counts rows: `registered`, `skipped` (registered earlier), `duplicate`, `rejected`, `postponed`, `invalid` and `remaining`. That of `sync` counts `synced`, `in_progress`, `research_failed`, `removed`, `without_record`, `not_registered` and `not_retrieved` organizations as well, and what was `retrieved` and `changed`. Both have `exit` and `elapsed_ms`.',
    ),
    '## Summary of a report',
    prose('`carbon report --json` prints these fields. Scores are from 0 to 1.'),
    table(['field', 'meaning'], reportSummary),
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

const optionTable = (entries: readonly Entry[]) => entryTable('option', entries);

function entryTable(header: string, entries: readonly Entry[]): string {
  return table(
    [header, 'meaning'],
    entries.map(({ term, meaning }) => [code(term), escapeText(meaning)]),
  );
}

function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(headers), line(headers.map(() => '---')), ...rows.map(line)].join('\n');
}

function writeBlock(block: Block): string {
  return block.kind === 'prose' ? prose(escapeText(block.text)) : fence('text', block.lines);
}

const prose = (text: string) => wrapWords(text, columns);
const code = (text: string) => `\`${text}\``;
const fence = (language: string, lines: readonly string[]) =>
  [`\`\`\`${language}`, ...lines, '```'].join('\n');

/* Escapes `<` and `*`, except in code between backticks. */
function escapeText(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[<*]/g, '\\$&')))
    .join('');
}
