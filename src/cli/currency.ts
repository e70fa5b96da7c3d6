import { UsageError } from '../runtime/carbon-error.ts';
import type { Session } from './session.ts';

/**
 * Returns the currency of the figures: from the flag or CARBON_CURRENCY. Undefined leaves the
 * choice to the service.
 */
export async function readCurrency(
  { context }: Session,
  flag: string | undefined,
): Promise<string | undefined> {
  const given = flag ?? (context.env['CARBON_CURRENCY'] || undefined);
  if (given === undefined) return undefined;
  const { checkCurrency } = await import('../registration/iso-codes.ts');
  const checked = checkCurrency(given);
  if ('code' in checked) return checked.code;
  const from = flag === undefined ? 'CARBON_CURRENCY' : '--currency';
  const hint = checked.meant
    ? `Did you mean ${checked.meant}?`
    : 'Use a code such as EUR, USD or CHF.';
  throw new UsageError(`${from}: "${given}" ${checked.problem}`, hint, 'invalid_input');
}
