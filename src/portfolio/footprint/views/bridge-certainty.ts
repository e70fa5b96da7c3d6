/* How sure a comparison is: how much is estimated, and of whom the change is known. */
import { count, listing, percentText, plural } from '../../../display/terminal/format.ts';
import { capital } from '../../../display/terminal/text.ts';
import { ifReal } from '../../organizations/quoting.ts';
import { totalOf } from '../../organizations/sum.ts';
import type { BridgeRow, BridgeStep, Effect } from '../bridge.ts';
import { changeShare } from '../causes.ts';
import type { Comparison } from '../compare.ts';
import { useOf } from '../statements.ts';
import type { FootprintSummary } from '../totals.ts';
import { isRestated } from './bridge-words.ts';
import { originOf, shareText } from './words.ts';

/** Says how much of each year is from industry averages, and what that is good for. */
export function certaintyText(
  { before, after, steps }: Comparison,
  { years }: Pick<FootprintSummary, 'years'>,
): string | undefined {
  const isSynthetic = steps.some(({ rows }) => rows.some(({ synthetic }) => synthetic));
  const shares = years.flatMap((totals) => {
    const { year } = totals;
    if (year === null || (year !== before && year !== after)) return [];
    const parts = originOf(totals);
    const share = parts.find(({ basis }) => basis === 'industry')?.share ?? 0;
    // After credit notes, a part may be negative, so that the others are more than the whole.
    const isPart = parts.length > 0 && parts.every((each) => (each.share ?? -1) >= 0);
    return isPart && share !== null ? [{ year, share }] : [];
  });
  if (shares.length === 0) return undefined;
  const most = Math.max(...shares.map(({ share }) => share));
  if (most === 0) return 'None of the emissions are from industry averages.';
  const [first = '', ...others] = shares.map(({ share }) => {
    return share === 0 ? 'none' : percentText(share, 1);
  });
  const words =
    others.length > 0 && others.every((each) => each === first)
      ? [`${first} of the emissions of both years`]
      : [first, ...others].map((part, at) => {
          return `${part} of ${at === 0 ? 'the emissions' : 'those'} of ${shares[at]?.year}`;
        });
  const text = `${capital(useOf(most))}: ${listing(words)} are from industry averages.`;
  return ifReal(isSynthetic, text);
}

/** Says of how many suppliers the change of their own emissions is known; undefined without any. */
export function ownText({ steps, before }: Comparison): string | undefined {
  const step = steps.at(-1);
  if (step === undefined || isRestated(step) || changeShare(step) === null) return undefined;
  if (step.effects.length === 0) return undefined;
  const { known, averages, unknown, all, share } = ownFigures(step);
  if (known === 0) {
    const who = all === 1 ? 'the only supplier has no' : `none of ${plural(all, 'supplier')} has`;
    return `No supplier's own emissions can be compared: ${who} own figures of both years.`;
  }
  const number =
    known < all
      ? `Only ${count.format(known)} of ${plural(all, 'supplier')}`
      : plural(all, 'supplier');
  const part = share === null ? '' : ` (${percentText(share, 1)} of the footprint of ${before})`;
  const rest = othersText([
    [averages, 'on averages'],
    [unknown, 'without known emissions in either year'],
    [all - known - averages - unknown, 'without comparable figures'],
  ]);
  return `${number} ${known === 1 ? 'has' : 'have'} own figures of both years${part}.${rest}`;
}

/* Accounts for all others, so that the numbers add up. */
function othersText(groups: readonly (readonly [suppliers: number, what: string])[]): string {
  const some = groups.filter(([suppliers]) => suppliers > 0);
  const others = totalOf(some.map(([suppliers]) => suppliers));
  if (others === 0) return '';
  const each = some.map(([suppliers, what]) => {
    return some.length === 1 ? what : `${count.format(suppliers)} ${what}`;
  });
  const [who, whose] = others === 1 ? ['one', 'its'] : [count.format(others), 'their'];
  return ` Of the other ${who} (${each.join(', ')}), no change of ${whose} own is known.`;
}

/**
 * Says what their own emissions, and then their revenue, did to the part of the footprint from
 * them; undefined without such a part. Its base is not that of the causes, so that it stands apart.
 */
export function ownPartText(step: BridgeStep): string | undefined {
  if (isRestated(step) || changeShare(step) === null) return undefined;
  const { known, added, byRevenue } = ownFigures(step);
  if (known === 0 || added === null) return undefined;
  const whose = known === 1 ? 'the only supplier' : `the ${plural(known, 'supplier')}`;
  return `In the part of the footprint from ${whose} with own figures of both years, ${changeOf(added, byRevenue ?? 0, known)}`;
}

function changeOf(added: number, byRevenue: number, suppliers: number): string {
  const whose = suppliers === 1 ? 'its' : 'their';
  const does = (share: number, [add, take]: readonly [string, string]) =>
    `${share > 0 ? add : take} ${shareText(Math.abs(share))}`;
  const first =
    added === 0
      ? `${whose} own emissions changed nothing`
      : `${whose} own emissions ${does(added, ['add', 'take off'])}`;
  if (byRevenue === 0) return first;
  const second = does(byRevenue, ['adds', 'takes off']);
  return `${first}, ${whose} ${byRevenue < 0 ? 'higher' : 'lower'} revenue ${second}`;
}

/**
 * Counts suppliers: those with own figures of both years, of the others those with an average in a
 * year, then those without emissions in both, and all. Those with own figures have a share of the
 * footprint before, and what their emissions add is a share of that part.
 */
export function ownFigures({ rows, before: total }: BridgeStep) {
  const suppliersOf = (some: readonly BridgeRow[]) =>
    new Set(some.map(({ id, name }) => id ?? name));
  const compared = rows.filter(isCompared);
  const part = totalOf(compared.map(({ before }) => before?.emissions ?? 0));
  const shareOfPart = (effect: Effect) =>
    part > 0 ? totalOf(compared.map(({ effects }) => effects[effect] ?? 0)) / part : null;
  const known = suppliersOf(compared);
  const averages = without(suppliersOf(rows.filter(isAverage)), known);
  const counted = new Set([...suppliersOf(rows.filter(hasEmissions)), ...averages, ...known]);
  return {
    known: known.size,
    averages: averages.size,
    unknown: without(suppliersOf(rows), counted).size,
    all: suppliersOf(rows).size,
    added: shareOfPart('supplier_emissions'),
    byRevenue: shareOfPart('supplier_revenue'),
    share: total > 0 ? part / total : null,
  };
}

function isAverage({ before, after }: BridgeRow): boolean {
  return [before, after].some((side) => side?.source?.basis === 'industry');
}

function without<Value>(some: ReadonlySet<Value>, others: ReadonlySet<Value>): Set<Value> {
  return new Set([...some].filter((each) => !others.has(each)));
}

function hasEmissions({ before, after }: BridgeRow): boolean {
  return [before, after].some((side) => side?.hasEmissions);
}

/* The same figures on both sides show no change. */
function isCompared({ effects, usesSameFigures }: BridgeRow): boolean {
  return 'supplier_emissions' in effects && !usesSameFigures;
}
