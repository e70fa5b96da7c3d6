/* Changes with their sign. */
import { changeSize, figure, numberFormats, smallChange } from '../../display/terminal/figure.ts';

function signed(value: number, write: (size: number) => string): string {
  const written = write(Math.abs(value));
  return value === 0 ? written : `${value < 0 ? '−' : '+'}${written}`;
}

/** Formats a share with its sign; a dash without one. */
export function signedShare(share: number | null): string {
  if (share === null) return '–';
  if (share !== 0 && changeSize(share) === undefined) return smallChange(share);
  return signed(share, numberFormats.share);
}

/** Formats an amount with its sign. */
export function signedAmount(value: number): string {
  return signed(value, (size) => figure(size).rounded);
}

/** Formats an amount with its sign, short: `+2.56M`. */
export function signedCompact(value: number): string {
  return signed(value, (size) => figure(size).compact);
}
