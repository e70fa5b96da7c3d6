/* What a reader of a goal must know before quoting it, and before asking anyone. */
import { cut, listing, naming, plural } from '../../../display/terminal/format.ts';
import { recordsThen } from '../../records/dates.ts';
import {
  areUnmatched,
  byItsRecord,
  type EvidenceDoubt,
  laterLookups,
  targetsEndingWith,
} from '../evidence.ts';
import type { Engagement, SupplierShare } from '../goal.ts';
import type { Goal } from '../goal-share.ts';
import type { GoalResult } from '../measure-goal.ts';
import { changesHint, hasDirection } from './goal-direction.ts';
import { countStep, matchText } from './goal-steps.ts';
import { askShares, goalShareText, minDoubt, nameOf } from './goal-words.ts';
import { shareText } from './words.ts';

/* Who may suffice if what is promised comes true. */
function committedNote({ ifCommitted: fewer, if_committed: committed, goal }: Engagement) {
  if (fewer === null) return [];
  const names = fewer.suppliers.map((supplier) => nameOf({ supplier }));
  const few = names.length > 3 ? naming(names, 3) : listing(names);
  return [
    `If all commitments are validated (${goalShareText(committed, goal)}), ${few} ${names.length === 1 ? 'suffices' : 'suffice'}: ${goalShareText(fewer.share, goal)}`,
  ];
}

/* A reader who adds up what is shown may miss 0.1. */
function roundingNote(engagement: Engagement): readonly string[] {
  const tenths = (text: string) => Math.round(10 * Number(text.replace('%', '')));
  const { ask, share, goal } = engagement;
  let before = tenths(goalShareText(share, goal));
  const isOff = askShares(engagement)
    .slice(0, ask.length)
    .some(({ part, together }) => {
      const sum = before + tenths(part);
      before = tenths(together);
      return sum !== before;
    });
  return isOff ? ['Each share is rounded by itself, so that a sum may differ by 0.1'] : [];
}

/* What the records of suppliers without a match say of targets, which may be another's. */
function byTheirRecords({ unmatched }: Engagement): readonly string[] {
  return unmatched.flatMap((each) => {
    const record = byItsRecord(each);
    return record === undefined ? [] : `${cut(nameOf(each), 40)}: ${record}`;
  });
}

/* The rule of `namesOnlyBefore`. */
function endsBefore(year: number | null): string {
  return `targets that end before ${year}, by the latest year in their texts`;
}

/* Targets that end with the goal count for it, and for nothing a year later. */
function endingNote({ suppliers, goal }: Engagement): readonly string[] {
  const { year } = goal;
  const { suppliers: ending, share } = targetsEndingWith(suppliers, year);
  if (share < minDoubt) return [];
  return [
    `${shareText(share)} of the ${goal.of}: targets that end in ${year}, by the latest year in their texts, count in ${year} but not after (${names(ending)})`,
  ];
}

type DoubtWords = (goal: Goal, thisYear: number) => string;

/* What weakens a share of the whole. */
const doubtWords: Readonly<Record<Exclude<EvidenceDoubt, 'no_emissions'>, DoubtWords>> = {
  old_text: (_, year) => endsBefore(year),
  short_text: ({ year }) => endsBefore(year),
  old_check: () => 'last looked up at SBTi more than six months ago',
  late_record: () =>
    'the SBTi record is dated after the look-up, which may not have seen it, so look it up again',
  no_flag: () => 'the status is set, but the record has no target',
  open_research: () => 'research on a supplier with a target is in progress or failed',
  disputed: () => 'Records disagree about the target, and the least favorable one counts',
};

const withoutShare: readonly EvidenceDoubt[] = ['no_emissions', 'disputed'];

/* In a goal of emissions, a step asks for them. */
function withoutEmissions(suppliers: readonly SupplierShare[]): string {
  const [have, they] =
    suppliers.length === 1 ? ['has a target', 'it counts'] : ['have targets', 'they count'];
  const all = suppliers.map(nameOf);
  const who = all.length > 3 ? naming(all, 3) : listing(all);
  return `${who} ${have} but no emissions, so ${they} by spend only`;
}

/**
 * The notes that may change the answer, the largest part first, others that limit how far to trust
 * it, and how to read it. What a first step says is no note.
 */
export function goalNoteParts(result: GoalResult): {
  readonly main: readonly string[];
  readonly further: readonly string[];
  readonly reading: readonly string[];
} {
  const { engagement, today } = result;
  const { goal } = engagement;
  const thisYear = Number(today.slice(0, 4));
  // The statements have that of a known share, and a step asks for emissions.
  const isSaid = ({ doubt }: Engagement['doubts'][number]) =>
    (doubt === 'old_check' && engagement.share !== null) ||
    (doubt === 'no_emissions' && countStep(engagement).length > 0);
  const doubts = engagement.doubts
    .filter((each) => !isSaid(each))
    .map(({ doubt, share, suppliers }) => {
      const part = withoutShare.includes(doubt) ? '' : `${shareText(share)} of the ${goal.of}: `;
      const text =
        doubt === 'no_emissions'
          ? withoutEmissions(suppliers)
          : `${part}${doubtWords[doubt](goal, thisYear)} (${names(suppliers)})`;
      // A step has those whose targets end too early, with the points.
      const isStep = doubt === 'short_text' && engagement.share !== null;
      return { text, size: part === '' || isStep ? 0 : share };
    })
    .toSorted((a, b) => b.size - a.size);
  const isMain = ({ size }: { readonly size: number }) => size >= minDoubt;
  const main = [
    ...committedNote(engagement),
    ...doubts.filter(isMain).map(({ text }) => text),
    ...(engagement.share !== null ? [] : endingNote(engagement)),
    ...(goal.year !== null && goal.year < thisYear
      ? [`The year of the goal, ${goal.year}, is over`]
      : []),
    ...[changesHint(result) ?? []].flat(),
  ];
  const others = doubts.filter((each) => !isMain(each)).map(({ text }) => text);
  return {
    main,
    further: [...others, ...furtherNotes(result)],
    reading: readingNotes(result, thisYear),
  };
}

/** Says what a reader must know before quoting the shares, the most important first. */
export function goalNotes(result: GoalResult): readonly string[] {
  const { main, further } = goalNoteParts(result);
  return [...main, ...further];
}

function furtherNotes({ engagement, toCorrect }: GoalResult): readonly string[] {
  const { suppliers, toMatch, unmatched } = engagement;
  const counted = suppliers.filter(({ excluded }) => excluded === null);
  const others = counted.filter((each) => {
    return each.uncovered?.includes('match') && !areUnmatched(each.entries);
  });
  const later = laterLookups(suppliers, engagement.lookups);
  return [
    ...(unmatched.length > 0 && toMatch.length === 0 ? [matchText(unmatched, toCorrect)] : []),
    ...byTheirRecords(engagement),
    ...(later.length > 0
      ? [
          `Looked up later than the days above: ${plural(later.length, 'supplier')} without a day of the look-up, for which that of the retrieval counts (${names(later)})`,
        ]
      : []),
    ...(others.length > 0
      ? [
          `The target of ${plural(others.length, 'supplier')} is unknown until the match is corrected (${names(others)})`,
        ]
      : []),
  ];
}

/* What explains the shares, and changes nothing in them. */
function readingNotes(result: GoalResult, thisYear: number): readonly string[] {
  const { engagement, since } = result;
  const { goal, suppliers, ask } = engagement;
  const hasGroup = suppliers.some(({ supplier }) => supplier.members !== undefined);
  // The table of the changes says it.
  const isSaid = since !== undefined && since.changes.changes.length > 0;
  return [
    'Only validated near-term targets count. A target is a promise, not a cut',
    ...goalSource(goal),
    ...(since === undefined ? [] : [recordsThen(since.day, since.dates)]),
    ...(hasDirection(result)
      ? ['Changes are between the days of your records: SBTi may have made them earlier']
      : []),
    ...(hasDirection(result) && !isSaid
      ? ["Both shares are weighted with today's emissions: spend and factors moved nothing here"]
      : []),
    ...roundingNote(engagement),
    ...(suppliers.some(isDatedRemoval) ? [removalDateNote] : []),
    ...(hasGroup
      ? ["A parent's target counts only if the service matched your supplier to the parent"]
      : []),
    ...(ask.some(({ status }) => status === 'none')
      ? ['carbon sees only what SBTi lists; add other evidence to your own sheet']
      : []),
    ...(goal.year !== null && goal.year > thisYear + 5
      ? ['SBTi allows five years from the submission of a goal']
      : []),
  ];
}

/** Says where the share comes from that SBTi's criteria have, if the goal is that. */
export function goalSource({ percent, of }: Goal): readonly string[] {
  return percent === 67 && of === 'emissions'
    ? [
        'Why 67%: SBTi asks companies to cover at least 67% of their whole scope 3 with near-term targets. For purchases alone, the share is your choice',
      ]
    : [];
}

/** Says of what the dates of removed targets are. */
export const removalDateNote =
  'A date in Removed is that of the SBTi record: whether of the removal or of the commitment is not stated';

function isDatedRemoval({ status, excluded, entries }: SupplierShare): boolean {
  const isRemoved = status === 'removed' && excluded === null;
  return isRemoved && entries.some(({ group }) => group.record?.evidence?.since);
}

function names(all: readonly SupplierShare[]): string {
  return naming(all.map(nameOf), 3);
}
