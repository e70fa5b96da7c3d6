/* What every result says first about how sure it is. */
import { syntheticNote } from '../../display/terminal/style.ts';

/**
 * Says what of a result nobody may quote, whatever else it is good for; undefined if there is
 * nothing.
 * @param isSynthetic whether any of its figures are of the sandbox
 * @param unit whether it is known: in doubt if its amounts cannot be right
 */
export function quotingLimit(
  isSynthetic: boolean,
  unit: 'known' | 'unknown' | 'in doubt',
): string | undefined {
  if (isSynthetic)
    return `Do not quote it: synthetic data${unit === 'known' ? '' : `, and the unit is ${unit}`}`;
  if (unit === 'in doubt') return 'Quote no amount before its unit is checked';
  return unit === 'known'
    ? undefined
    : "Quote no amount before its unit is known: compare one with the company's own report, then add --unit";
}

/** Tells whether amounts in a unit may be quoted. */
export function unitState(unit: string | null, isInDoubt: boolean) {
  if (isInDoubt) return 'in doubt';
  return unit === null ? 'unknown' : 'known';
}

/**
 * Says that a unit is what the user declared, which a reader takes for the source's.
 * @param made how much that makes of the spend
 */
export function unitSetting(unit: string, made = ''): string {
  return `The unit is a setting (--unit ${unit}), because the records have none${made}`;
}

/** Says when a quote must say more; nobody may quote synthetic data at all. */
export function whenQuoting(isSynthetic: boolean): string {
  return isSynthetic ? 'with real data' : 'when quoting';
}

/** Says what figures are good for, which synthetic ones are not. */
export function ifReal(isSynthetic: boolean, text: string): string {
  return isSynthetic ? `With real data: ${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

/**
 * Says that data is synthetic; undefined if none is. A number beside that of all would make the
 * others real, so that only those with data of their own are others.
 * @param of the number of those with synthetic data, with their noun
 */
export function syntheticText(
  {
    synthetic,
    not_synthetic: others,
  }: { readonly synthetic: number; readonly not_synthetic: number },
  of: (number: number) => string,
): string | undefined {
  if (synthetic === 0) return undefined;
  return syntheticNote(others === 0 ? '' : ` of ${of(synthetic)}`);
}
