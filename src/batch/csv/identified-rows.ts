import type { Problem } from '../../registration/fields.ts';
import { type SentValues, sentValues } from '../preflight/sent-values.ts';
import { isInShard, type Shard } from '../shard.ts';
import { normalizeCell } from './cell.ts';
import type { Mapping } from './columns.ts';
import type { CsvDialect } from './dialect.ts';
import type { InputFile } from './input-file.ts';
import { identityKey, type Values } from './row-key.ts';
import { dropInvalidIds, readValues } from './row-registration.ts';
import { type Row, readRows } from './rows.ts';

/** A row whose identity is known. */
export interface IdentifiedRow extends Row, SentValues {
  readonly key: string;
  /** What is sent. The key stands for the cells, also for those that are left out here. */
  readonly values: Values;
  /** Invalid optional identifiers that were left out of the values. */
  readonly dropped?: readonly Problem[] | undefined;
  /** What the cell of the name has that counts as missing. */
  readonly missingName?: string | undefined;
}

/** Identified rows in the order of the file, and how many between them are not for this run. */
export interface IdentifiedGroup {
  readonly rows: readonly IdentifiedRow[];
  /** Rows of other shards. */
  readonly elsewhere: number;
  /** Lines that repeat the header. */
  readonly headers: readonly number[];
}

/**
 * An input file, understood: where its rows are, what its columns mean, which rows are this run's.
 */
export interface IdentifiedTable {
  readonly source: InputFile;
  readonly layout: CsvDialect;
  readonly mapping: Mapping;
  /** The base URL, or `sandbox`: a part of each row's identity. */
  readonly service: string;
  readonly shard: Shard | undefined;
  /** Whether rows are sent without their invalid optional identifiers. */
  readonly dropsInvalidIds?: boolean | undefined;
}

/**
 * Reads the rows of this run with their identities.
 * @throws UsageError for text that cannot be read as a table; LocalError when the file changed
 * since it was first read
 */
export async function* identifyRows(
  table: IdentifiedTable,
): AsyncGenerator<IdentifiedGroup, void, void> {
  const { source, layout, mapping, service, shard } = table;
  const nameAt = mapping.columns.find(({ field }) => field === 'name')?.index ?? -1;
  for await (const { rows, headers } of readRows(source, layout)) {
    const identified: IdentifiedRow[] = [];
    for (const { line, cells, problem } of rows) {
      const values = readValues(cells, mapping);
      const key = identityKey(service, values);
      if (!isInShard(key, shard)) continue;
      const sent = sentValues(values, mapping);
      const kept = table.dropsInvalidIds ? dropInvalidIds(sent.values) : undefined;
      const missingName =
        sent.values.name === undefined ? normalizeCell(cells[nameAt] ?? '') : undefined;
      identified.push({ line, cells, problem, key, ...sent, ...kept, missingName });
    }
    yield { rows: identified, headers, elsewhere: rows.length - identified.length };
  }
}
