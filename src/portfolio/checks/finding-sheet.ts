/*
 * What a workbook of findings has besides their columns: what its first sheet says, what to do, and
 * what each rule means.
 */
import type { Column } from '../../display/query/query.ts';
import { answerLines } from '../../display/terminal/answers.ts';
import { naming, plural } from '../../display/terminal/format.ts';
import { capital } from '../../display/terminal/text.ts';
import type { ListToCorrect } from '../organizations/correction.ts';
import { quotingLimit } from '../organizations/quoting.ts';
import { reportStep } from '../organizations/statements.ts';
import { isAboutMatch, ruleStep, rules, ruleWords } from './check-records.ts';
import { type Finding, findingColumns, type ShownFinding } from './findings.ts';
import type { RecordCounts } from './statements.ts';

/* Headings that say more than the names of the columns. */
const headings: Readonly<Record<string, string>> = {
  value: 'Found',
  limit: 'Expected',
};

/** What the found and the expected value of each rule are, which are of another kind in each. */
const compared: Readonly<Record<string, string>> = {
  match_differs: 'name',
  match_shared: 'ID of the matched organization',
  match_legal_form: 'name',
  match_country: 'country',
  match_website: 'website',
  match_changed: 'matched organization',
  match_review: 'name',
  match_none: '',
  match_figures: 'ID of the matched organization',
  equal_figures: 'number of equal figures',
  unit: 'factor × revenue ÷ emissions',
  sum_scope: 'emissions: parts with their scope',
  sum_total: 'emissions: scopes with the total',
  negative: 'amount, at least 0',
  year: 'year',
  zero: 'emissions',
  percent_score: 'score, from 0 to 1',
  out_of_range: 'score from 0 to 1, or percentile from 0 to 100',
  not_readable: 'value as received',
  repeated_year: 'sets of figures for the year',
  scope_2_method: 'emissions: scope 2 with that in the total',
  joint: 'emissions: scopes 1 and 2 with their sum',
  factor: 'factor × revenue ÷ emissions',
  copied: 'number of equal figures',
  jump: 'times the year before',
  categories_changed: 'number of scope 3 categories',
  benchmark: 'times the industry average',
  no_target: 'status of the near-term target',
};

/* Rules whose expected value is the end of a range, which begins with its inverse. */
const ranges: ReadonlySet<string> = new Set(['jump', 'benchmark']);

const comparedColumn: Column<ShownFinding> = {
  name: 'compared',
  kind: 'text',
  description: '',
  value: ({ rule, value }) => (value === null ? null : compared[rule]),
};

/* Writes a range where one end of it would read as what is right. */
function withRange({ value: read }: Column<ShownFinding>) {
  return (finding: ShownFinding) => {
    const limit = read(finding);
    return ranges.has(finding.rule) && limit ? `1/${limit} to ${limit}` : limit;
  };
}

const whatToDo = (list: ListToCorrect | undefined): Column<ShownFinding> => ({
  name: 'what_to_do',
  kind: 'note',
  description: '',
  value: ({ rule }) => capital(ruleStep(rule, list)),
});

/**
 * Returns the columns of findings in a workbook, where a sentence tells what to do.
 * @param list the one that was registered, if it is known
 */
export function findingSheetColumns(list?: ListToCorrect): readonly Column<ShownFinding>[] {
  return findingColumns.flatMap((column) => {
    if (column.name === 'action') return [whatToDo(list)];
    const named = { ...column, heading: headings[column.name] };
    if (column.name === 'rule') return [{ ...named, value: ({ rule }) => ruleWords(rule) }];
    if (column.kind !== 'value') return [named];
    return column.name === 'value'
      ? [comparedColumn, { ...named, value: withIds(column) }]
      : [{ ...named, value: withRange({ ...named, value: withIds(column) }) }];
  });
}

/* What a rule about matches compares are IDs, which are no numbers. */
function withIds({ value: read }: Column<ShownFinding>) {
  return (finding: ShownFinding) => {
    const value = read(finding);
    const isId = isAboutMatch(finding.rule) && typeof value === 'number';
    return isId ? String(value) : value;
  };
}

/** What a check found, and what its reader can do. */
export interface CheckOnSheet {
  readonly findings: readonly ShownFinding[];
  readonly counts: RecordCounts;
  readonly isSynthetic: boolean;
  /** The sentence about all records. */
  readonly sentence: string;
  /** What the records were compared with. */
  readonly compared: string;
  /** What is missing in the records. */
  readonly missing: readonly string[];
  readonly list: ListToCorrect | undefined;
  /** The command that says who matters; undefined if the records are from standard input. */
  readonly report: string | undefined;
}

const maxNamed = 5;

/** Returns what the first sheet says: the records to look at first, and what to do about each. */
export function checkSummary({
  findings,
  counts,
  isSynthetic,
  sentence,
  compared: comparison,
  missing,
  list,
  report,
}: CheckOnSheet) {
  const step = whatToDo(list);
  const limit = quotingLimit(isSynthetic, 'known');
  const steps = grouped(findings, (finding) => String(step.value(finding)));
  const severities = [
    ['error', 'Errors'],
    ['warning', 'Warnings'],
  ] as const;
  return {
    answers: answerLines([
      { text: sentence },
      ...severities.flatMap(([severity, label]) => {
        const found = findings.filter((each) => each.severity === severity);
        const texts = grouped(found, ({ rule }) => ruleWords(rule)).map(
          ([words, all]) => `${namesOf(all)} (${words})`,
        );
        const text = `${label}: ${texts.join('; ')}`;
        return texts.length === 0 ? [] : [{ question: 'who', text } as const];
      }),
      ...missing.map((text) => ({ question: 'missing', text }) as const),
      ...(limit === undefined ? [] : [{ question: 'sure', text: limit } as const]),
      { question: 'sure', text: comparison },
      ...steps.map(([text, all]) => {
        const words = [...new Set(all.map(({ rule }) => ruleWords(rule)))].join(', ');
        return { question: 'steps', text: `${text}: ${namesOf(all)} (${words})` } as const;
      }),
      ...(steps.length > 0 || report === undefined
        ? []
        : [{ question: 'steps', text: reportStep(report) } as const]),
    ]),
    figures: [
      ['records', counts.records],
      ['with an error', counts.wrong || null],
      ['with a warning, but no error', counts.doubtful || null],
      ['with a notice only', counts.noted || null],
    ],
    parts: [
      [
        'Findings',
        grouped(findings, ({ rule, severity }) => `${ruleWords(rule)} (${severity})`).map(
          ([words, all]) => [words, inRecords(all)] as const,
        ),
      ],
    ],
  } as const;
}

/* Puts findings together for which something is the same, in their order. */
function grouped(
  findings: readonly ShownFinding[],
  keyOf: (finding: ShownFinding) => string,
): readonly (readonly [key: string, findings: readonly ShownFinding[]])[] {
  const groups = new Map<string, ShownFinding[]>();
  for (const finding of findings) {
    const group = groups.get(keyOf(finding));
    if (group === undefined) groups.set(keyOf(finding), [finding]);
    else group.push(finding);
  }
  return [...groups];
}

function namesOf(findings: readonly ShownFinding[]): string {
  const names = new Map(findings.map(({ id, name }) => [id ?? name, name ?? `ID ${id}`]));
  return naming([...names.values()], maxNamed);
}

function inRecords(findings: readonly ShownFinding[]): string {
  const records = new Set(findings.map(({ id, name }) => id ?? name)).size;
  return records === findings.length
    ? plural(records, 'record')
    : `${plural(findings.length, 'finding')} in ${plural(records, 'record')}`;
}

const meanings: readonly (readonly [name: string, meaning: string])[] = [
  ['ID, Name', 'The organization'],
  ['Finding', 'What is wrong or in doubt; CSV has a code, as `rule`'],
  [
    'Severity',
    'error: do not use the value until someone has checked it; warning: check it; notice: good to know',
  ],
  ['Compared', 'What “Found” and “Expected” are'],
  ['Found', 'The value that was found; CSV has it as `value`'],
  [
    'Expected',
    'What the value should be or agree with, such as 1 for a ratio; CSV has it as `limit`',
  ],
  ['Year', 'Year of the value; empty if the finding concerns the organization'],
  ['What the record says', 'The values behind the finding; CSV has them as `evidence`'],
  ['What to do', 'What resolves the finding; CSV has a code, as `action`'],
];

/** Returns what the columns of findings mean, then the rules that were found. */
export function findingLegend(findings: readonly Finding[]) {
  const found = new Set(findings.map(({ rule }) => rule));
  const explained = rules.filter(({ name }) => found.has(name));
  return [
    ...meanings,
    ...explained.map(
      ({ name, words, limit, reason }) =>
        [capital(words), `${limit}. ${reason} (${name} in CSV)`] as const,
    ),
  ];
}
