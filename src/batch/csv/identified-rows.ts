import type { Problem } from '../../registration/fields.ts';
import { isInShard, type Shard } from '../shard.ts';
import { normalizeCell } from './cell.ts';
import type { Mapping } from './columns.ts';
import type { CsvDialect } from './dialect.ts';
import type { InputFile } from './input-file.ts';
import { identityKey, type Values } from './row-key.ts';
import { dropInvalidIds, readValues } from './row-registration.ts';
import { type Row, readRows } from './rows.ts';
import { type SentValues, sentValues } from './sent-values.ts';

/** A row with its identity. */
export interface IdentifiedRow extends Row, SentValues {
  readonly key: string;
  /** The values to send. The key is a hash of all mapped cells, including those left out here. */
  readonly values: Values;
  /** Invalid optional identifiers that `--drop-invalid-ids` removed from the values. */
  readonly dropped?: readonly Problem[] | undefined;
  /** The placeholder in the name cell, such as `N/A`, if the name is missing. */
  readonly missingName?: string | undefined;
}

/** A group of identified rows in the order of the file. */
export interface IdentifiedGroup {
  readonly rows: readonly IdentifiedRow[];
  /** Number of rows that belong to other shards. */
  readonly elsewhere: number;
  /** Lines that repeat the header. */
  readonly headers: readonly number[];
}

/** An input file with its CSV dialect, its mapping and the part of it that a run sends. */
export interface IdentifiedTable {
  readonly source: InputFile;
  readonly dialect: CsvDialect;
  readonly mapping: Mapping;
  /** The base URL, or `sandbox`. It is part of each row's key. */
  readonly service: string;
  readonly shard: Shard | undefined;
  /** Whether invalid optional identifiers are left out instead of making a row invalid. */
  readonly dropsInvalidIds?: boolean | undefined;
}

/**
 * Reads the rows of this run with their identities.
 *
 * @throws UsageError if the text is not a table; LocalError if the file changed since it was first
 * read
 */
export async function* identifyRows(
  table: IdentifiedTable,
): AsyncGenerator<IdentifiedGroup, void, void> {
  const { source, dialect, mapping, service, shard } = table;
  const nameAt = mapping.columns.find(({ field }) => field === 'name')?.index ?? -1;
  for await (const { rows, headers } of readRows(source, dialect)) {
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
