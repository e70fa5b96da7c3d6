/* Says in words whom to ask, why, and what to do. */
import { changeText } from '../../display/terminal/figure.ts';
import { andMore, count, cut, linesText, percentText } from '../../display/terminal/format.ts';
import { type FactTable, text } from '../../display/terminal/section.ts';
import { companies, organizationName } from '../organizations/statements.ts';
import type { Ask, AskReason } from './asks.ts';
import type { Summary } from './summary.ts';

const reasons: Readonly<Record<AskReason, (isOne: boolean, newest: number) => string>> = {
  no_emissions: (isOne) => `${isOne ? 'has' : 'have'} no emissions in the record`,
  old: (isOne, newest) => `${isOne ? 'has' : 'have'} no scope 1 or 2 after ${newest}`,
  incomplete: (isOne) => `${isOne ? 'lacks' : 'lack'} scope 1 or 2 for recent years`,
  unmatched: (isOne) => `${isOne ? 'was' : 'were'} not matched`,
  in_progress: (isOne) => `${isOne ? 'is' : 'are'} still in research`,
  failed: () => 'research failed',
  rose: () => 'rose most',
  grew: () => 'rose most',
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
  const isOnly = all === 1 && validated === 1;
  const targets = [
    isOnly ? ', although it has a validated target' : whose(validated, 'with a validated target'),
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

/** Says how many there are of a group, why to ask them, and who the first ones are. */
export function askedText(ask: Ask): string {
  const { why, organizations: all } = ask;
  const reason = reasonOf(ask);
  const which = companies(all);
  const what: Partial<Record<AskReason, string>> = {
    failed: `${reason} for ${which}`,
    removed: `target or commitment of ${which} removed`,
    committed: `${which} committed to a target`,
  };
  return `${what[why] ?? `${which} ${reason}`} (${askedNames(ask)})`;
}

/* Names the first ones of a group. */
function askedNames({ why, first, organizations }: Ask): string {
  const named = first.map(
    (each) => `${cut(organizationName(each), 40)}${idText(why, each)}${riseOf(each)}`,
  );
  return andMore(named.join(separatorOf(first)), organizations - first.length);
}

/** Says by how much the emissions of one that rose did, and its revenue; empty of others. */
export function riseOf({ change, revenue_change: growth }: Ask['first'][number]): string {
  if (change == null) return '';
  return ` ${changeText(change)}${growth == null ? '' : `, revenue ${changeText(growth)}`}`;
}

function separatorOf(first: Ask['first']): string {
  return first.some(({ revenue_change: growth }) => growth != null) ? '; ' : ', ';
}

/* The service knows a failed research by its ID; a company without a name is called so already. */
function idText(why: AskReason, { id, name }: Ask['first'][number]): string {
  return why === 'failed' && id !== null && name?.trim() ? ` (ID ${id})` : '';
}

/** Names the first ones of a group, each with the lines of the list to correct. */
export function askedPlaces({ why, first, organizations }: Ask): string {
  const named = first.map(
    ({ lines, ...each }) =>
      `${cut(organizationName(each), 60)}${idText(why, { lines, ...each })}${lines.length === 0 ? '' : ` (${linesText(lines)})`}${riseOf({ lines, ...each })}`,
  );
  return andMore(named.join(separatorOf(first)), organizations - first.length);
}

const lacks: Readonly<Partial<Record<AskReason, (isOne: boolean, newest: number) => string>>> = {
  no_emissions: () => 'without emissions in the record',
  old: (_, newest) => `with figures up to ${newest} only`,
  incomplete: () => 'with incomplete figures',
  unmatched: () => 'not matched',
  in_progress: () => 'in research',
  failed: () => 'with failed research',
};

/** Says how many of a group lack figures, and why: "4 with failed research". */
export function lackingText({ why, organizations: all, newest }: Ask): string {
  return `${count.format(all)} ${lacks[why]?.(all === 1, newest ?? 0) ?? ''}`.trimEnd();
}

/** Says why to ask a group, after its number: "with a removed target or commitment". */
export function groupText(ask: Ask): string {
  const { why, organizations: all, newest } = ask;
  if (ask.rise !== null) return 'that rose most';
  return lacks[why]?.(all === 1, newest ?? 0) ?? numbered[why] ?? reasonOf(ask);
}

/** Says whom to ask, why, and what to do, in a sentence. */
export function askSentence(ask: Ask): string {
  return `${askedText(ask)}: ${ask.next_step}`;
}

/* Reasons that read as parts of a sentence after a number. */
const numbered: Readonly<Partial<Record<AskReason, string>>> = {
  failed: 'with failed research',
  removed: 'with a removed target or commitment',
};

/** Lists whom to ask, with the whole of what to do. */
export function askTable({ ask }: Pick<Summary, 'ask'>): FactTable<Ask> {
  return {
    title: 'Whom to ask',
    prefix: 'ask',
    head: 'Why',
    label: (each) => `${count.format(each.organizations)} ${numbered[each.why] ?? reasonOf(each)}`,
    isProse: true,
    columns: [text('', '', (each) => each.next_step), text('', '', askedPlaces)],
    rows: ask,
  };
}
