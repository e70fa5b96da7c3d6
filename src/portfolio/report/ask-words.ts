/* Says in words whom to ask, why, and what to do. */
import {
  andMore,
  count,
  cut,
  linesText,
  naming,
  percentText,
} from '../../display/terminal/format.ts';
import { type FactTable, text } from '../../display/terminal/section.ts';
import { companies } from '../organizations/statements.ts';
import type { Ask, AskReason } from './asks.ts';
import type { Summary } from './summary.ts';
import { nameOf } from './tables.ts';

const reasons: Readonly<Record<AskReason, (isOne: boolean, newest: number) => string>> = {
  no_emissions: (isOne) => `${isOne ? 'discloses' : 'disclose'} no emissions`,
  old: (isOne, newest) => `${isOne ? 'has' : 'have'} no scope 1 or 2 after ${newest}`,
  incomplete: (isOne) => `${isOne ? 'lacks' : 'lack'} scope 1 or 2 for recent years`,
  unmatched: (isOne) => `${isOne ? 'was' : 'were'} not matched`,
  in_progress: (isOne) => `${isOne ? 'is' : 'are'} still in research`,
  failed: () => 'research failed',
  rose: () => 'rose most',
  removed: () => 'target or commitment removed',
  committed: () => 'committed to a target',
};

function riseText(
  { share, since, validated, removed }: NonNullable<Ask['rise']>,
  all: number,
): string {
  const whose = (number: number, what: string) => {
    if (number === 0) return '';
    const which = number < all ? `${count.format(number)} ` : all === 2 ? 'both ' : 'all ';
    return `, ${all === 1 ? '' : which}${what}`;
  };
  const targets = [
    whose(validated, 'with a validated target'),
    whose(removed, 'whose target or commitment was removed'),
  ];
  return `${riseShareText(share)} since ${since}${targets.join('')}`;
}

/** Says what organizations made of a net rise, after their number. */
export function riseShareText(share: number): string {
  return `made ${percentText(share, 1)} of the net rise`;
}

/** The groups that lack figures, which a statement lists. */
export const lacking: readonly AskReason[] = [
  'no_emissions',
  'old',
  'incomplete',
  'unmatched',
  'in_progress',
  'failed',
];

/** Says why to ask the organizations of a group, without their number. */
export function reasonOf({ why, organizations, newest, rise }: Ask): string {
  if (rise !== null) return riseText(rise, organizations);
  return reasons[why](organizations === 1, newest ?? 0);
}

/**
 * Says how many there are of a group, why to ask them, and who the first ones are.
 * @param isFirst whether nothing before it says that the numbers are of companies
 */
export function askedText(ask: Ask, isFirst = true): string {
  const { why, organizations: all } = ask;
  const reason = reasonOf(ask);
  const number = count.format(all);
  const which = isFirst ? companies(all) : number;
  const what: Partial<Record<AskReason, string>> = {
    failed: `${reason} for ${number}`,
    removed: `target or commitment of ${which} removed`,
    committed: `${which} committed to a target`,
  };
  return `${what[why] ?? `${which} ${reason}`} (${askedNames(ask)})`;
}

/** Names the first ones of a group. */
export function askedNames({ first, organizations }: Ask): string {
  return naming(first.map(nameOf), first.length, organizations);
}

/** Names the first ones of a group, each with the lines of the list to correct. */
export function askedPlaces({ first, organizations }: Ask): string {
  const named = first.map(
    ({ lines, ...each }) =>
      `${cut(nameOf(each), 60)}${lines.length === 0 ? '' : ` (${linesText(lines)})`}`,
  );
  return andMore(named.join(', '), organizations - first.length);
}

/** Says what to do about a group in a word; a page has the whole step. */
export function stepInShort({ why, next_step: step }: Ask): string {
  return why === 'unmatched' ? 'correct the list' : step;
}

/** Lists whom to ask, with the whole of what to do. */
export function askTable({ ask }: Pick<Summary, 'ask'>): FactTable<Ask> {
  return {
    title: 'Whom to ask',
    prefix: 'ask',
    head: 'Why',
    label: (each) => `${count.format(each.organizations)} ${reasonOf(each)}`,
    isProse: true,
    columns: [text('', '', (each) => each.next_step), text('', '', askedPlaces)],
    rows: ask,
  };
}
