/* What a reader of a goal must know before quoting it, and before asking anyone. */
import { andMore, cut, listing, naming, plural } from '../../../display/terminal/format.ts';
import { correctionOf, type ListToCorrect, unmatchedStep } from '../../organizations/matches.ts';
import { totalOf } from '../../organizations/sum.ts';
import { recordsThen } from '../../records/dates.ts';
import { areUnmatched, byItsRecord, type EvidenceDoubt, laterLookups } from '../evidence.ts';
import type { Engagement, SupplierShare } from '../goal.ts';
import type { Goal } from '../goal-share.ts';
import type { GoalResult } from '../measure-goal.ts';
import { changesHint, hasDirection } from './goal-direction.ts';
import { goalShareText, nameOf } from './goal-words.ts';
import { shareText } from './words.ts';

/* Someone without a known status may turn out not to be worth asking. */
function unknownAsked({ ask, goal }: Engagement): string[] {
  const unknown = lookedUp(ask);
  if (unknown.length === 0) return [];
  const parts = unknown.map(({ share }) => -(share ?? 0));
  const without = goalShareText(totalOf([ask.at(-1)?.shareAfter ?? 0, ...parts]), goal);
  const [its, they, them] =
    unknown.length === 1 ? ['its', 'it has', 'it'] : ['their', 'they have', 'them'];
  return [
    `First look up ${naming(unknown.map(nameOf), 3)} at SBTi: ${its} status is unknown. If ${they} no target, ask for one; without ${them}, ${without}`,
  ];
}

function lookedUp(ask: Engagement['ask']): Engagement['ask'] {
  return ask.filter(({ status }) => status === 'unknown');
}

/** Says what comes before asking those whose status is not known; a sentence for each step. */
export function beforeAsking({ ask }: Pick<Engagement, 'ask'>): readonly string[] {
  const unknown = lookedUp(ask);
  const they = unknown.length === 1 ? 'it has' : 'they have';
  if (unknown.length === 0) return [];
  return [
    `First look up ${naming(unknown.map(nameOf), 3)} at SBTi; if ${they} no target, ask for one`,
  ];
}

/* What only the reader can do, and what fewer asks would need. */
function planNotes(
  {
    ask,
    toMatch,
    unmatched,
    withoutUnmatched: plan,
    withUnmatched,
    ifCommitted: fewer,
    if_committed: committed,
    goal,
  }: Engagement,
  list: ListToCorrect | undefined,
): string[] {
  const most =
    ask.length > 0
      ? ''
      : `. Until then, the goal is out of reach: ${goalShareText(plan?.share ?? null, goal)} at most`;
  const isFewer = withUnmatched !== null && withUnmatched.suppliers.length < ask.length;
  const enough = isFewer
    ? `. If ${listing(toMatch.map(nameOf))} ${toMatch.length === 1 ? 'has or sets a target' : 'have or set targets'}, ${fewestText(withUnmatched, toMatch)}: ${goalShareText(withUnmatched.share, goal)}`
    : '';
  const names = fewer?.suppliers.map((supplier) => nameOf({ supplier })) ?? [];
  const few = names.length > 3 ? naming(names, 3) : listing(names);
  return [
    ...(toMatch.length === 0 ? [] : [`First match ${matchText(unmatched, list)}${most}${enough}`]),
    ...(fewer === null
      ? []
      : [
          `If all commitments are validated (${goalShareText(committed, goal)}), ${few} ${names.length === 1 ? 'suffices' : 'suffice'}: ${goalShareText(fewer.share, goal)}`,
        ]),
  ];
}

/* The others that are to be asked, so that those to match are enough. */
function fewestText(
  { suppliers }: { readonly suppliers: Engagement['toMatch'][number]['supplier'][] },
  toMatch: Engagement['toMatch'],
): string {
  const others = suppliers.filter((each) => !toMatch.some(({ supplier }) => supplier === each));
  const names = others.map((supplier) => nameOf({ supplier }));
  if (names.length === 0) return 'nobody else need be asked';
  return `${names.length > 3 ? naming(names, 3) : listing(names)} ${names.length === 1 ? 'is' : 'are'} enough`;
}

/* Suppliers without a match and what to do, in one line. */
function matchText(unmatched: Engagement['unmatched'], list: ListToCorrect | undefined): string {
  const named = unmatched.map((each) => {
    return each.share ? `${nameOf(each)} ${shareText(each.share)}` : nameOf(each);
  });
  const step = list === undefined ? unmatchedStep : correctionOf(list);
  const records = unmatched.flatMap((each) => {
    const record = byItsRecord(each);
    return record === undefined ? [] : `${cut(nameOf(each), 40)}: ${record}`;
  });
  const shown = records.slice(0, 3).join('; ');
  const later = records.length === 0 ? '' : `. ${andMore(shown, records.length - 3)}`;
  return `${plural(unmatched.length, 'supplier')}, whose targets nobody knows until then (${naming(named, 3)}): ${step}${later}`;
}

/* The rule of `namesOnlyBefore`. */
function endsBefore(year: number | null): string {
  return `targets that end before ${year}, by the latest year in their texts`;
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

function withoutEmissions(suppliers: readonly SupplierShare[], { of }: Goal): string {
  const [have, they] = suppliers.length === 1 ? ['has a target', 'it'] : ['have targets', 'they'];
  const count = suppliers.length === 1 ? 'counts' : 'count';
  const what =
    of === 'spend'
      ? `${they} ${count} by spend only`
      : `${they} ${count} for nothing in a goal by emissions`;
  return `${names(suppliers)} ${have} but no emissions, so ${what}`;
}

/* Below it, a doubt changes no answer of a page. */
const minDoubt = 0.05;

/**
 * The notes about whom to ask, those that may change the answer, the largest part first, and the
 * others.
 */
export function goalNoteParts(result: GoalResult): {
  readonly plan: readonly string[];
  readonly main: readonly string[];
  readonly further: readonly string[];
} {
  const { engagement, today } = result;
  const { goal } = engagement;
  const thisYear = Number(today.slice(0, 4));
  // The statements have that of a known share.
  const isSaid = (doubt: EvidenceDoubt) => doubt === 'old_check' && engagement.share !== null;
  const doubts = engagement.doubts
    .filter(({ doubt }) => !isSaid(doubt))
    .map(({ doubt, share, suppliers }) => {
      const part = withoutShare.includes(doubt) ? '' : `${shareText(share)} of the ${goal.of}: `;
      const text =
        doubt === 'no_emissions'
          ? withoutEmissions(suppliers, goal)
          : `${part}${doubtWords[doubt](goal, thisYear)} (${names(suppliers)})`;
      return { text, size: part === '' ? 0 : share };
    })
    .toSorted((a, b) => b.size - a.size);
  const isMain = ({ size }: { readonly size: number }) => size >= minDoubt;
  const main = [
    ...unknownAsked(engagement),
    ...doubts.filter(isMain).map(({ text }) => text),
    ...(goal.year !== null && goal.year < thisYear
      ? [`The year of the goal, ${goal.year}, is over`]
      : []),
    ...[changesHint(result) ?? []].flat(),
  ];
  const others = doubts.filter((each) => !isMain(each)).map(({ text }) => text);
  return {
    plan: planNotes(engagement, result.toCorrect),
    main,
    further: [...others, ...furtherNotes(result, thisYear)],
  };
}

/** Says what a reader could misunderstand in the shares, the most important first. */
export function goalNotes(result: GoalResult): readonly string[] {
  const { plan, main, further } = goalNoteParts(result);
  return [...plan, ...main, ...further];
}

function furtherNotes(result: GoalResult, thisYear: number): readonly string[] {
  const { engagement, since } = result;
  const { goal, suppliers, ask, toMatch, unmatched } = engagement;
  const counted = suppliers.filter(({ excluded }) => excluded === null);
  const others = counted.filter((each) => {
    return each.uncovered?.includes('match') && !areUnmatched(each.entries);
  });
  const later = laterLookups(suppliers, engagement.lookups);
  const hasGroup = suppliers.some(({ supplier }) => supplier.members !== undefined);
  return [
    'Only validated near-term targets count. A target is a promise, not a cut',
    ...(since === undefined ? [] : [recordsThen(since.day, since.dates)]),
    ...(hasDirection(result)
      ? ["Both shares are weighted with today's emissions: spend and factors moved nothing here"]
      : []),
    ...(unmatched.length > 0 && toMatch.length === 0
      ? [`Match ${matchText(unmatched, result.toCorrect)}`]
      : []),
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
    ...(suppliers.some(isDatedRemoval) ? [removalDateNote] : []),
    ...goalSource(goal),
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
