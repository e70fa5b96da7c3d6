/* What a goal asks for, and the shares that are compared with it. Shares are 0 to 1. */
import { roundHalf } from '../../display/terminal/format.ts';
import { UsageError } from '../../runtime/carbon-error.ts';

/** What `--goal` asks for. */
export interface Goal {
  /** Above 0, at most 100. */
  readonly percent: number;
  readonly of: 'emissions' | 'spend';
  /** Changes no figure. */
  readonly year: number | null;
}

/** A goal to type; SBTi asks for two thirds of scope 3, within five years. */
export const exampleGoal = '67% by 2028';

const pattern =
  /^(\d+(?:\.\d+)?) ?%?(?: (?:of |by )?(?:suppliers by )?(emissions|spend))?(?: by (?:FY)?(\d{4}))?$/i;

/**
 * Reads a goal, such as `67% by 2028` or `80% of spend`.
 *
 * @throws UsageError if the text is not a share in percent, from 1 to 100
 */
export function parseGoal(text: string): Goal {
  const [, digits, of = 'emissions', year] = pattern.exec(text.trim()) ?? [];
  const percent = Number(digits);
  if (digits !== undefined && percent > 0 && percent < 1)
    throw new UsageError(`--goal: "${text}" is less than 1%`, hintAtGoal(text));
  if (digits === undefined || percent === 0 || percent > 100)
    throw new UsageError(
      `--goal: "${text}" is not a share${percent > 100 ? ' up to 100' : ''}`,
      hintAtGoal(text),
    );
  return {
    percent,
    of: of.toLowerCase() === 'spend' ? 'spend' : 'emissions',
    year: year === undefined ? null : Number(year),
  };
}

/* Proposes the goal that a text seems to mean: 67.5% for 67,5, and 67% for 0.67. */
function hintAtGoal(text: string): string {
  const [, share = '', rest = text] = /^[\p{L}\s]*(\d+(?:[.,]\d+)?)(.*)$/u.exec(text) ?? [];
  const number = Number(share.replace(',', '.'));
  const percent = Number((number < 1 ? 100 * number : number).toPrecision(12));
  const [, ending = ''] = /\b(?:FY)?((?:20)?\d\d)\s*$/i.exec(rest) ?? [];
  const year = ending && ` by ${ending.padStart(4, '20')}`;
  const of = /spend/i.test(rest) ? ' of spend' : '';
  return percent > 0 && percent <= 100
    ? `Did you mean --goal "${percent}%${of}${year}"?`
    : `Write a share and its year, such as --goal "67%${of}${year || ' by 2028'}"${of === '' && year === '' ? ', or a share of spend: --goal "80% of spend"' : ''}.`;
}

/** Tells whether a share is at least the goal. */
export function meets(share: number, { percent }: Goal): boolean {
  return share >= percent / 100 - 1e-12;
}

/**
 * Rounds a share to percent with one decimal, half up, as every share, unless it would read as a
 * goal that it does not reach: then it is the largest such number below the goal.
 */
export function shownPercent(share: number, goal: Goal): number {
  const nearest = roundHalf(1_000 * share) / 10;
  if (nearest < goal.percent || meets(share, goal)) return nearest;
  return (Math.ceil(roundHalf(1e6 * goal.percent) / 1e5) - 1) / 10;
}

/** Returns a share as `shownPercent` shows it, if that is not the nearest number. */
export function shownShare(share: number, goal: Goal): number {
  const shown = shownPercent(share, goal);
  return shown === roundHalf(1_000 * share) / 10 ? share : Math.round(10 * shown) / 1_000;
}

/** Returns the share between one and the goal, as both are shown. */
export function pointsToGo(goal: Goal, share: number): number {
  return Math.max(0, goal.percent - shownPercent(share, goal)) / 100;
}
