/* What a reader of a goal must know before quoting it, and before asking anyone. */
import { listing, naming, plural } from '../../../display/terminal/format.ts';
import { unmatchedStep } from '../../organizations/matches.ts';
import { totalOf } from '../../organizations/sum.ts';
import { recordsThen } from '../../records/dates.ts';
import { areUnmatched, type EvidenceDoubt, laterLookups } from '../evidence.ts';
import type { Engagement, SupplierShare } from '../goal.ts';
import type { Goal } from '../goal-share.ts';
import type { GoalResult } from '../measure-goal.ts';
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
function planNotes({
  ask,
  toMatch,
  withoutUnmatched: plan,
  ifCommitted: fewer,
  if_committed: committed,
  goal,
}: Engagement): string[] {
  const matched = toMatch.map((each) => {
    const unknown = each.status === 'unknown' ? ', unknown until then' : '';
    return `${nameOf(each)} (${shareText(each.share)}${unknown})`;
  });
  const most =
    ask.length > 0
      ? ''
      : `. Until then, the goal is out of reach: ${goalShareText(plan?.share ?? null, goal)} at most`;
  const names = fewer?.suppliers.map((supplier) => nameOf({ supplier })) ?? [];
  const few = names.length > 3 ? naming(names, 3) : listing(names);
  return [
    ...(matched.length === 0
      ? []
      : [`Yours to do: match ${naming(matched, 3)}: ${unmatchedStep}${most}`]),
    ...(fewer === null
      ? []
      : [
          `If all commitments are validated (${goalShareText(committed, goal)}), ${few} ${names.length === 1 ? 'suffices' : 'suffice'}: ${goalShareText(fewer.share, goal)}`,
        ]),
  ];
}

type DoubtWords = (goal: Goal, thisYear: number) => string;

/* What weakens a share of the whole. */
const doubtWords: Readonly<Record<EvidenceDoubt, DoubtWords>> = {
  old_text: (_, year) => `the target's text names no year after ${year - 1}`,
  short_text: ({ year }) => `the target's text names no year after ${(year ?? 0) - 1}`,
  old_check: () => 'the status was last looked up at SBTi more than six months ago',
  late_record: () => 'the SBTi record is dated after the look-up',
  no_flag: () => 'the status is set, but the record has no target',
  open_research: () => 'research on a supplier with a target is in progress or failed',
  no_emissions: ({ of }) =>
    of === 'spend'
      ? 'A target without emissions counts by spend only'
      : 'A target without emissions counts for nothing in a goal by emissions',
  disputed: () => 'Records disagree about the target, and the least favorable one counts',
};

const withoutShare: readonly EvidenceDoubt[] = ['no_emissions', 'disputed'];

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
  const { goal, industryShare, hasEstimate } = engagement;
  const thisYear = Number(today.slice(0, 4));
  const doubts = engagement.doubts
    .map(({ doubt, share, suppliers }) => {
      const part = withoutShare.includes(doubt) ? '' : `${shareText(share)} of the ${goal.of}: `;
      const text = `${part}${doubtWords[doubt](goal, thisYear)} (${names(suppliers)})`;
      return { text, size: part === '' ? 0 : share };
    })
    .toSorted((a, b) => b.size - a.size);
  const isMain = ({ size }: { readonly size: number }) => size >= minDoubt;
  const main = [
    ...unknownAsked(engagement),
    ...doubts.filter(isMain).map(({ text }) => text),
    ...(industryShare !== null && industryShare > 0.5
      ? [
          `${shareText(industryShare)} of the ${hasEstimate ? '' : 'known '}emissions are industry averages`,
        ]
      : []),
    ...(goal.year !== null && goal.year < thisYear
      ? [`The year of the goal, ${goal.year}, is over`]
      : []),
  ];
  const others = doubts.filter((each) => !isMain(each)).map(({ text }) => text);
  return {
    plan: planNotes(engagement),
    main,
    further: [...others, ...furtherNotes(result, thisYear)],
  };
}

/** Says what a reader could misunderstand in the shares, the most important first. */
export function goalNotes(result: GoalResult): readonly string[] {
  const { plan, main, further } = goalNoteParts(result);
  return [...plan, ...main, ...further];
}

function furtherNotes({ engagement, since }: GoalResult, thisYear: number): readonly string[] {
  const { goal, suppliers, ask, toMatch } = engagement;
  const counted = suppliers.filter(({ excluded }) => excluded === null);
  const isUnmatched = ({ entries }: SupplierShare) => areUnmatched(entries);
  const unmatched = counted.filter((each) => isUnmatched(each) && !toMatch.includes(each));
  const others = counted.filter((each) => each.uncovered?.includes('match') && !isUnmatched(each));
  const later = laterLookups(suppliers, engagement.lookups);
  const hasGroup = suppliers.some(({ supplier }) => supplier.members !== undefined);
  return [
    'Only validated near-term targets count. A target is a promise, not a cut',
    ...(suppliers.some(hasText)
      ? [
          "A target's own year changes no share: read the text of each target in the list of suppliers",
        ]
      : []),
    ...(since === undefined
      ? ['No direction without an earlier day: to see which targets changed, add --since <date>']
      : [
          recordsThen(since.day, since.dates),
          "Both shares are weighted with today's emissions: spend and factors moved nothing here",
        ]),
    ...(unmatched.length > 0
      ? [
          toMatch.length > 0
            ? `${plural(unmatched.length, 'more supplier is', 'more suppliers are')} not matched (${names(unmatched)})`
            : `${plural(unmatched.length, 'supplier is', 'suppliers are')} not matched: ${unmatchedStep} (${names(unmatched)})`,
        ]
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

/* Whether a target that counts has a text, which alone says its year. */
function hasText({ status, excluded, entries }: SupplierShare): boolean {
  const isSet = status === 'set' && excluded === null;
  return isSet && entries.some(({ group }) => group.record?.evidence?.detail);
}
