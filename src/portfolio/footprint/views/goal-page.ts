/* The page of a goal for suppliers: how far, whom to ask, and every supplier. */

import {
  type RankedRow,
  rankedBars,
  type StackPart,
  stackedBar,
} from '../../../display/page/bars.ts';
import {
  type Content,
  html,
  type KeyFigure,
  section,
  withCommands,
} from '../../../display/page/html.ts';
import {
  type Cell,
  factCell,
  maxRows,
  searchableTable,
} from '../../../display/page/searchable-table.ts';
import { renderSkeleton } from '../../../display/page/skeleton.ts';
import { headingOf, kindOf } from '../../../display/query/kinds.ts';
import type { Column } from '../../../display/query/query.ts';
import {
  count,
  cut,
  dateText,
  fieldText,
  naming,
  plural,
} from '../../../display/terminal/format.ts';
import { capital } from '../../../display/terminal/text.ts';
import { targetWords } from '../../organizations/target-words.ts';
import { isLateRecord, isOldCheck } from '../evidence.ts';
import type { Engagement } from '../goal.ts';
import type { GoalResult } from '../measure-goal.ts';
import { whyAndStep } from '../missing-figures.ts';
import { isNamed } from '../supplier-groups.ts';
import type { FootprintSummary } from '../totals.ts';
import { noEmissionsHeading } from './coded-columns.ts';
import { changesHint } from './goal-direction.ts';
import { goalNoteParts, goalSource, removalDateNote } from './goal-notes.ts';
import { goalAnswers } from './goal-statements.ts';
import { askedAfter } from './goal-steps.ts';
import { type SupplierRow, supplierColumns, supplierRows } from './goal-suppliers.ts';
import { changesTable, estimatedName, removedTable } from './goal-tables.ts';
import {
  askShares,
  findOutNote,
  goalShareText,
  goalText,
  lookupMonths,
  lookupText,
  nameOf,
  spendShareText,
  statusShareText,
} from './goal-words.ts';
import { furtherNotes, headOf, methodPart, statusNote, tablePart } from './page.ts';
import type { MemberColumn } from './tables.ts';
import { shareText, shownUnit, spendText, toCheckUnit, unitNoteOfShares } from './words.ts';

/**
 * Renders the page.
 * @param title by default, whether the goal is reached
 * @param commandWith writes the command line with further words, as its reader has none to add to
 */
export function renderGoalPage(
  summary: FootprintSummary,
  result: GoalResult,
  title?: string,
  commandWith?: (words: readonly string[]) => string,
): string {
  const { engagement, since } = result;
  const all = goalAnswers(result, title === undefined);
  const head = headOf(summary, lookupText(engagement), leftOutOf(summary, engagement));
  const notes = goalNoteParts(result);
  const changes = commandWith && changesHint(result, toCheckUnit(summary, commandWith));
  const main =
    changes === undefined ? notes.main : notes.main.filter((note) => note !== changesHint(result));
  const ofSections = [removalDateNote, ...goalSource(engagement.goal)];
  const isOfFile = (note: string) => summary.warnings.includes(note);
  const ofFootprint = head.notes.filter((note) => !isOfFile(note));
  return renderSkeleton({
    ...head,
    // A goal is of shares: a note at the table has it.
    alert: undefined,
    title: title ?? all[0]?.text.replace(/\.$/, '') ?? '',
    answers: all.slice(title === undefined ? 1 : 0),
    figures: figures(result),
    notes: [...main, ...head.notes.filter(isOfFile)],
    skip: 'Skip to the table of suppliers',
    charts: [targets(engagement, changes), since && tablePart(changesTable(engagement, since))],
    sections: [
      ask(engagement),
      findOut(engagement),
      removed(
        engagement,
        since === undefined ? maxRemoved : fewRemoved,
        notes.reading.includes(removalDateNote),
      ),
    ],
    table: supplierTable(result, summary),
    details: [furtherNotes([...notes.further, ...ofFootprint]), methodPart(summary)],
    readingNotes: [
      ...notes.reading.filter((note) => !ofSections.includes(note)).map((note) => `${note}.`),
      ...readingNotes(engagement),
    ],
  });
}

/* What the total of a footprint leaves out counts here. */
function leftOutOf(
  { line_items: all, covered_line_items: covered }: FootprintSummary,
  { goal, share, estimated_share: part }: Engagement,
): string {
  if (covered >= all || goal.of === 'spend' || share === null) return '';
  const counted = part === null ? '' : ` (${shareText(part)})`;
  return `${count.format(all - covered)} of ${plural(all, 'line item')} have no known emissions: here they count at the average, without a target${counted}`;
}

const readingNotes = ({
  goal,
  share,
  ask: asked,
  ifLapsed,
  lost,
  suppliers,
  toMatch,
}: Engagement) => [
  ...(lost ? ['Removed: a target or commitment that SBTi removed, at any time.'] : []),
  'Emissions are spend times the factor of the supplier, so those you buy. carbon report counts the emissions of whole companies, and carbon footprint only known ones: their shares differ.',
  ...(goal.of === 'spend'
    ? []
    : [
        share === null
          ? 'Spend without emissions would count as that of an average supplier of its currency. Without any emissions in a currency there is no average, so the share of all emissions is unknown.'
          : 'Spend without emissions is counted at the average, as having no target, so that missing data never helps.',
      ]),
  ...(asked.length > 0
    ? [
        'Ask next: the fewest suppliers that reach the goal, the largest first, whatever their status.',
        ...(toMatch.length > 0
          ? ['Suppliers that are not matched are not among them: nobody knows their targets yet.']
          : []),
      ]
    : []),
  ...(ifLapsed === null
    ? []
    : [
        `A target ends before ${goal.year} if the latest year in its text is earlier. The fewest suppliers that reach the goal even without these targets come last in Ask next.`,
      ]),
  'The cumulative share adds up the shares in the order of the list, whatever the status.',
  ...(suppliers.some(({ entries }) => entries.some(({ group }) => group.record?.website))
    ? ['Websites are text, not links, because they come from strangers.']
    : []),
];

function figures(result: GoalResult): KeyFigure[] {
  const { engagement, since } = result;
  const { goal, share, known_share: known, if_committed: committed, lost, ask: asked } = engagement;
  const also = engagement.ifLapsed?.ask ?? [];
  const all = goal.of === 'spend' ? 'of your spend' : 'of the emissions you buy';
  const of = share === null ? 'of the known emissions, not of all' : all;
  const then = since?.changes.shareThen ?? null;
  const lookups = lookupMonths(engagement);
  return [
    {
      name: 'With a validated target',
      value: goalShareText(share ?? known, goal),
      population: `${of}, ${plural(engagement.supplierCount, 'supplier')}${lookups === undefined ? '' : `; ${lookups}`}${since === undefined || then === null ? '' : `; ${goalShareText(then, goal)} at the end of ${dateText(since.day)}`}`,
    },
    ...(committed === null
      ? []
      : [
          {
            name: 'If every commitment is validated',
            value: goalShareText(committed, goal),
            population: `${of}; the goal is ${goalText(goal)}`,
          },
        ]),
    ...(lost === null || lost === 0
      ? []
      : [
          {
            name: 'With a removed target',
            value: shareText(lost),
            population: `${of}: removed by SBTi at any time, commitments included`,
          },
        ]),
    ...(asked.length === 0
      ? []
      : [
          {
            name: also.length === 0 ? 'To ask next' : 'To ask next, at least',
            value: count.format(asked.length),
            population: `${[askedAfter(result), naming(asked.map(nameOf), 3)].filter(Boolean).join(': ')}, then ${goalShareText(asked.at(-1)?.shareAfter ?? null, goal)}${also.length === 0 ? '' : `; ${count.format(asked.length + also.length)} if targets that end before ${goal.year} lapse`}`,
          },
        ]),
  ];
}

function targets(engagement: Engagement, changes?: string): Content {
  const { goal, targets: all, share, known_share: known, if_committed: committed } = engagement;
  const shareOf = (row: Engagement['targets'][number]) =>
    goal.of === 'spend' ? row.by_spend : row.by_emissions;
  const shown = all.filter((row) => (shareOf(row) ?? -1) >= 0);
  const { estimated_share: estimated } = engagement;
  if (shown.length === 0) return undefined;
  const parts: readonly StackPart[] = shown.map((row) => ({
    share: shareOf(row) ?? 0,
    ...targetWords(row.status),
    shareText: statusShareText(row.status, shareOf(row), engagement),
    note: statusNote(
      goal.of === 'spend' ? { ...row, covered_suppliers: row.suppliers } : row,
      namesOf(engagement, row.status),
    ),
    // The table has the text of another status.
    find: row.status === 'other' ? undefined : targetWords(row.status).name,
  }));
  const words = [
    share === null
      ? `${goalShareText(known, goal)} of the known emissions, not of all`
      : `${goalShareText(share, goal)} ${lookupMonths(engagement) ?? 'validated'}`,
    committed === null ? '' : `${goalShareText(committed, goal)} with the commitments`,
    share === null ? '' : `${goal.percent}% is the goal`,
  ];
  const emissions = share === null ? 'the known emissions' : 'emissions';
  const whole = goal.of === 'spend' ? 'spend' : emissions;
  // The goal is a share of another whole then.
  const mark =
    share === null ? undefined : { share: goal.percent / 100, text: `goal ${goalText(goal)}` };
  return section(
    'targets',
    words.filter(Boolean).join(', '),
    [`Share of ${whole} by the supplier's SBTi near-term target`, ...goalSource(goal)].join('. '),
    stackedBar(estimated === null ? parts : [...parts, estimatedPart(estimated)], mark),
    changes !== undefined && html`<p class="sub also">${withCommands(changes)}</p>`,
  );
}

function namesOf({ suppliers }: Engagement, wanted: string): readonly string[] {
  return suppliers
    .filter(({ status, excluded, supplier }) => {
      return status === wanted && excluded === null && isNamed(supplier);
    })
    .map(nameOf);
}

/* What no status has, because spend without emissions is counted at the average. */
function estimatedPart(share: number): StackPart {
  const shown = { share, shareText: shareText(share) };
  return { ...shown, tone: 'estimated', name: estimatedName, note: 'counted at the average' };
}

/* Others would be fewer, but cannot be asked yet. */
function matchedWord({ toMatch }: Engagement): string {
  return toMatch.length === 0 ? '' : ' matched';
}

const maxAsked = 20;

function ask(engagement: Engagement): Content {
  const { goal, ask: asked } = engagement;
  const all = askShares(engagement);
  if (all.length === 0) return undefined;
  const max = Math.max(...all.map(({ share }) => share ?? 0));
  const rows = all.slice(0, maxAsked).map((each, at): RankedRow => {
    const { together, lapsed } = each;
    const adds = `adds ${each.part.replace('%', ' points')}`;
    const [then, when] = at < asked.length ? [together, ''] : [lapsed, ' if targets lapse'];
    return {
      name: nameOf(each),
      length: max > 0 ? (each.share ?? 0) / max : 0,
      text: `${adds} → ${then}`,
      exact: `${nameOf(each)}: ${adds}, then ${then} together${when}`,
      find: nameOf(each),
      // Without them, the shares would seem to fall.
      above: at === asked.length ? lapseLine(engagement) : undefined,
      more: [
        html`<span class="target target-${each.status === 'removed' ? 'removed' : 'other'}">${targetWords(each.statusText ?? each.status).name}</span> · ${each.nextStep}`,
      ],
    };
  });
  const rest = all.length - rows.length;
  const more = rest > 0 ? `. ${count.format(rest)} more are in the table` : '';
  const note = `The fewest${matchedWord(engagement)} suppliers that reach ${goalText(goal)}, the largest first: what each adds → the share then${more}`;
  return section('ask', askTitle(asked.length, all.length), note, rankedBars(rows));
}

/* What the share of those to ask only if targets lapse begins at. */
function lapseLine({ goal, ask: asked, ifLapsed }: Engagement): string {
  const from = goalShareText(ifLapsed?.after.at(-1) ?? ifLapsed?.without ?? null, goal);
  const many = `the ${count.format(asked.length)} above come to`;
  const who = asked.length === 1 ? 'the one above comes to' : many;
  return `If targets that end before ${goal.year} lapse, ${asked.length === 0 ? `it is ${from}; then ask` : `${who} ${from}; then ask also`}:`;
}

/* Those to ask only if targets lapse are no part of the first number. */
function askTitle(asked: number, all: number): string {
  const [some, every] = [count.format(asked), count.format(all)];
  const who = (number: number, written: string) =>
    number === 1 ? 'this supplier' : `these ${written}`;
  if (asked === 0) return `Ask ${who(all, every)} in case targets lapse`;
  const also = all > asked ? `, and ${count.format(all - asked)} more in case targets lapse` : '';
  return `Ask ${who(asked, some)} next${also}`;
}

const maxRemoved = 10;
const fewRemoved = 4;

function removed(engagement: Engagement, maxRows: number, hasDates: boolean): Content {
  const { note, rows, ...table } = removedTable(engagement);
  const rest = rows.length - maxRows;
  const more = rest > 0 ? `. ${plural(rest, 'more is', 'more are')} in the table below` : '';
  const dates = hasDates ? `. ${removalDateNote}` : '';
  return tablePart({ ...table, note: `${note}${more}${dates}`, rows: rows.slice(0, maxRows) });
}

function findOut(engagement: Engagement): Content {
  const { findOut: all } = engagement;
  if (all.length === 0) return undefined;
  const max = Math.max(...all.map(({ spendShare }) => spendShare));
  const rows = all.map((each): RankedRow => {
    const part = spendShareText(each, engagement);
    return {
      name: nameOf(each),
      length: max > 0 ? each.spendShare / max : 0,
      text: part.short,
      exact: `${nameOf(each)}: ${part.long}`,
      tone: 'data',
      find: nameOf(each),
      more: [whyAndStep(each.uncovered, each.nextStep)],
    };
  });
  const { what, rest } = findOutNote(engagement);
  const currency = engagement.hasSeveralCurrencies ? ' in its currency' : '';
  const more = rest > 0 ? `. ${plural(rest, 'more is', 'more are')} in the table` : '';
  const note = `${capital(what)}: share of the spend${currency}${more}`;
  return section('find-out', 'Find out first', note, rankedBars(rows));
}

/* Names of the columns as people read them. */
const titles: Readonly<Partial<Record<keyof SupplierRow, string>>> = {
  rank: 'Place',
  id: 'ID',
  hq_region: 'Country',
  sbti_near_term: 'Target',
  status_then: 'Target then',
  target_since: 'Date of SBTi record',
  checked_at: 'SBTi looked up',
  ask: 'Ask',
  uncovered: noEmissionsHeading,
};

/* The time of day says nothing here; the days sort as they are. */
function dayColumn<Row>(column: Column<Row>): Column<Row> {
  const day = (row: Row) =>
    String(column.value(row) ?? '').replace(/(?<=^\d{4}-\d\d-\d\d)T.*$/s, '');
  return {
    ...column,
    text: (row, length) => (length === 'exact' ? String(column.value(row) ?? '') : day(row)),
  };
}

const leading: readonly (keyof SupplierRow)[] = [
  'supplier',
  'share',
  'ask',
  'sbti_near_term',
  'next_step',
  'target_detail',
];

/* The words for a code; undefined for a column without codes, and without a code. */
function wordsOf(
  { name, inWords }: MemberColumn<SupplierRow>,
  row: SupplierRow,
): string | undefined {
  // The words of a workbook would be a tenth of this page.
  if (name === 'basis') return undefined;
  if (name === 'sbti_near_term') return targetWords(row.sbti_near_term).name;
  const words = inWords?.value(row) ?? '';
  return words === '' ? undefined : String(words);
}

/* Sentences wrap; a day prints in one line. */
const tones: Readonly<Record<string, string>> = { note: 'note', date: 'day' };

/* Texts are longer than in a terminal, so that a target keeps its percentage. */
const maxNote = 240;

function cellOf(
  column: MemberColumn<SupplierRow>,
  row: SupplierRow,
  isDoubtful: boolean,
): Cell | undefined {
  const { name, kind } = column;
  if (kind === 'note') return { text: cut(fieldText(column.value(row)), maxNote) };
  const cell = factCell(kind === 'date' ? dayColumn(column) : column, row);
  // One to ask only if targets lapse has its place after the others.
  const { ask_if_lapsed: later } = row;
  if (name === 'ask' && later !== null)
    return { text: count.format(later), mark: '*', meaning: 'only if targets lapse' };
  const isMarked = name === 'checked_at' && isDoubtful;
  return cell && isMarked ? { ...cell, mark: '!' } : cell;
}

/* The rows whose look-up is old, or before the day of its own record. */
function doubtfulChecks({ engagement, today }: GoalResult, rows: readonly SupplierRow[]) {
  return new Set(
    rows.filter((row, at) => {
      const each = engagement.suppliers[at];
      const isDoubtful = each && (isLateRecord(each) || isOldCheck(each, today));
      return isDoubtful && row.checked_at !== null;
    }),
  );
}

/* Addresses and line numbers are in the workbook: they would be a third of the page. */
const unlisted: readonly (keyof SupplierRow)[] = [
  'rank',
  // A sum whatever the target reads as progress towards the goal.
  'cumulative_share',
  'ask_if_lapsed',
  'report',
  'cdp_page',
  'lines',
];

/* Paper has no room, and tables of what changed and of removed targets. */
const offPaper: readonly (keyof SupplierRow)[] = ['status_then', 'change', 'target_since'];

/* What other columns or sections say, or few readers need. */
const details: readonly (keyof SupplierRow)[] = [
  'id',
  'hq_region',
  'website',
  'basis',
  'uncovered',
];

function supplierTable(result: GoalResult, summary: FootprintSummary) {
  const unit = shownUnit(summary);
  const rows = supplierRows(result);
  const shown = rows.slice(0, maxRows);
  const doubtful = doubtfulChecks(result, rows);
  // A sum of several currencies is no number.
  const spends = new Map(
    rows.flatMap((row, at) => {
      const all = Object.entries(result.engagement.suppliers[at]?.spend ?? {});
      const text = all.map(([code, amount]) => spendText(amount, code)).join(' + ');
      return all.length > 1 ? [[row, text] as const] : [];
    }),
  );
  const place = (name: keyof SupplierRow) => leading.indexOf(name) + 1 || leading.length + 1;
  const columns = supplierColumns(result.since !== undefined)
    .filter(({ name, kind, isDetail }) => {
      return kind !== 'synthetic' && isDetail !== true && !unlisted.includes(name);
    })
    .toSorted((a, b) => place(a.name) - place(b.name))
    .map((column) => {
      const { name } = column;
      const { type } = kindOf(column.kind);
      return {
        title: headingOf(titles[name] ?? capital(name.replaceAll('_', ' ')), column.kind, unit),
        kind: type === 'number' ? ('number' as const) : ('text' as const),
        isSorted: name === 'share',
        isDetail: details.includes(name),
        isOffPaper: offPaper.includes(name),
        tone: () => (name === 'target_detail' ? 'long' : (tones[column.kind ?? ''] ?? '')),
        cell: (row: (typeof rows)[number]) =>
          ((name === 'spend' && spends.get(row)) || wordsOf(column, row)) ??
          cellOf(column, row, doubtful.has(row)),
      };
    });
  const rest = rows.length - shown.length;
  const doubt = unitNoteOfShares(summary);
  const note = `All suppliers by their part in the goal, then those without emissions by spend.${rest > 0 ? ` The table lists the first ${count.format(maxRows)} of ${count.format(rows.length)}.` : ''}${doubtful.size > 0 ? ' ! marks a look-up more than six months ago, or before the day of the SBTi record: look these up again.' : ''}${rows.some((row) => row.ask_if_lapsed !== null) ? ' * in Ask: only if targets lapse.' : ''}${doubt === undefined ? '' : ` ${doubt}: “?” marks them.`}`;
  return searchableTable({
    name: 'suppliers',
    title: 'All suppliers',
    noun: 'suppliers',
    about: [summary.method.files, 'goal', summary.records_to],
    note,
    placeholder: 'Supplier, target, next step …',
    columns,
    rows: shown,
    isSynthetic: ({ synthetic }) => synthetic,
  });
}
