/* Shares in percent with one decimal, rounded half up, and parts that add up to their sum. */
import { roundHalf } from '../../display/terminal/format.ts';

/** Returns a share in tenths of a percent. */
export function tenthsOf(share: number): number {
  return Math.sign(share) * roundHalf(1_000 * Math.abs(share));
}

/**
 * Returns parts in tenths of a percent that add up to their sum as it is shown: those that rounding
 * moved most are rounded the other way, of equal ones the largest. A part that would then be wrong
 * by half or more comes last, unless it reads as less than 0.1.
 * @param sum in tenths of a percent
 */
export function tenthsAddingUp(shares: readonly number[], sum: number): readonly number[] {
  const tenths = shares.map(tenthsOf);
  const missing = sum - tenths.reduce((total, each) => total + each, 0);
  const direction = Math.sign(missing);
  const errorOf = (share: number) => roundHalf(1e6 * direction * (1_000 * share - tenthsOf(share)));
  const isFar = (share: number) => {
    const shown = tenthsOf(share);
    const error = Math.abs(shown + direction - 1_000 * share);
    return shown !== 0 && shown + direction !== 0 && error >= Math.abs(500 * share);
  };
  const moved = [...shares.entries()]
    .sort(
      ([, a], [, b]) =>
        Number(isFar(a)) - Number(isFar(b)) || errorOf(b) - errorOf(a) || Math.abs(b) - Math.abs(a),
    )
    .map(([at]) => at)
    .slice(0, Math.abs(missing));
  return tenths.map((each, at) => each + (moved.includes(at) ? direction : 0));
}

/** Writes tenths of a percent with a sign: `+2.5`, `−0.1`, `0.0`. */
export function signedTenths(tenths: number): string {
  const size = sizeOfTenths(tenths);
  return tenths === 0 ? size : `${tenths < 0 ? '−' : '+'}${size}`;
}

/** Writes tenths of a percent without a sign: `2.5`, `0.0`. */
export function sizeOfTenths(tenths: number): string {
  return (Math.abs(tenths) / 10).toFixed(1);
}
