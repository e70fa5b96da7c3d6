import type { Condition } from '../../query/condition.ts';
import { parseQuery, type Query } from '../../query/query.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import type { QueryOptions } from '../option-parsers.ts';
import { recordColumns } from '../output/csv-columns.ts';
import type { CsvSource } from '../output/csv-source.ts';
import type { Format } from '../output-format.ts';

/**
 * Reads the query of a command line.
 * @throws UsageError for an invalid query, and for --columns with a format that has no columns
 */
export async function readQuery(options: QueryOptions, format: Format): Promise<Query<CsvSource>> {
  if (options.columns !== undefined && (format === 'json' || format === 'ids'))
    throw new UsageError(
      `--columns cannot be combined with --${format}`,
      format === 'json'
        ? '--json prints complete records. Use --csv for columns.'
        : '--ids prints only ids. Use --csv for columns.',
    );
  const query = parseQuery(recordColumns, options);
  for (const condition of query.conditions) await checkCountry(condition);
  return query;
}

/* A country name would match no record, because records have codes. */
async function checkCountry({ column, operator, text }: Condition<CsvSource>): Promise<void> {
  if (column.name !== 'hq_region' || !/^[^<>]*=/.test(operator) || /^([a-z]{2})?$/i.test(text))
    return;
  const { countryCode } = await import('../../registration/countries.ts');
  const code = countryCode(text);
  throw new UsageError(
    `--where: "${text}" is not an ISO 3166-1 code, which hq_region contains`,
    code === undefined ? 'Use a code of two letters, such as DE.' : `Did you mean ${code}?`,
  );
}
