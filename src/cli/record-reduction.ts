/*
 * What commands keep of each record. A thread receives the name of a reduction and its options,
 * because functions cannot be sent.
 */
import { factorRecordSchema } from '../api/schema.ts';
import type { FactorOptions, SpendKind } from '../footprint/records/record-facts.ts';
import type { QueryText } from '../query/query.ts';
import type { RecordReduction } from '../records/record-slab.ts';
import type { RowForm } from './selection/read-row.ts';

/** Names a reduction to text. */
export type ReductionName =
  | { readonly kind: 'entry'; readonly withSources: boolean }
  | { readonly kind: 'selection'; readonly query: QueryText; readonly form: RowForm }
  | ({ readonly kind: 'facts'; readonly spend: readonly SpendKind[] } & FactorOptions);

/** Returns a reduction. */
export function openReduction(name: ReductionName): Promise<RecordReduction<string>> {
  if (name.kind === 'facts') return openFacts(name);
  return name.kind === 'entry' ? openEntry(name.withSources) : openSelection(name);
}

async function openEntry(withSources: boolean): Promise<RecordReduction<string>> {
  const [{ readEntry }, { writeEntry }] = await Promise.all([
    import('../report/summary/digest.ts'),
    import('../report/summary/entry-text.ts'),
  ]);
  return { reduce: (record) => writeEntry(readEntry(record, withSources)) };
}

async function openSelection({
  query,
  form,
}: Extract<ReductionName, { kind: 'selection' }>): Promise<RecordReduction<string>> {
  const [{ parseQuery }, { recordColumns }, { rowReader }, { writeSelected }] = await Promise.all([
    import('../query/query.ts'),
    import('./output/csv-columns.ts'),
    import('./selection/read-row.ts'),
    import('./selection/item-text.ts'),
  ]);
  const read = rowReader(parseQuery(recordColumns, query), form);
  return { reduce: (record, _, { json }) => writeSelected(read(record, json)) };
}

async function openFacts({
  spend,
  boundary,
  fallback,
}: Extract<ReductionName, { kind: 'facts' }>): Promise<RecordReduction<string>> {
  const [{ recordFacts }, { writeFacts }] = await Promise.all([
    import('../footprint/records/record-facts.ts'),
    import('../footprint/records/facts-text.ts'),
  ]);
  const options = { boundary, fallback };
  return {
    reduce: (record, _, source) => writeFacts(recordFacts(record, source, options), spend),
    schema: factorRecordSchema,
  };
}
