import { UsageError } from '../runtime/carbon-error.ts';
import type { Session } from './session.ts';

/**
 * The currency to retrieve figures in: the flag's, else CARBON_CURRENCY's, else the service's own
 * choice.
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
  const hint = checked.meant ? `Did you mean ${checked.meant}?` : 'Such as EUR, USD or CHF.';
  throw new UsageError(`${from}: "${given}" ${checked.problem}`, hint, 'invalid_input');
}
