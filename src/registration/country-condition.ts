import type { Condition } from '../query/query.ts';
import { UsageError } from '../runtime/carbon-error.ts';

/**
 * Checks the value of a condition on `hq_region`.
 * @throws UsageError for a country name, which would match no record, because records have codes
 */
export async function checkCountryCondition<Row>({
  column,
  operator,
  text,
}: Condition<Row>): Promise<void> {
  if (column.name !== 'hq_region' || !/^[^<>]*=/.test(operator) || /^([a-z]{2})?$/i.test(text))
    return;
  const { countryCode } = await import('./countries.ts');
  const code = countryCode(text);
  throw new UsageError(
    `--where: "${text}" is not an ISO 3166-1 code, which hq_region contains`,
    code === undefined ? 'Use a code of two letters, such as DE.' : `Did you mean ${code}?`,
  );
}
