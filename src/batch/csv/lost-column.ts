/*
 * Finds columns that a journal names and the file lacks. Without the field every row would have a
 * new key and be sent again, so the user decides. Usually the column was renamed.
 */
import { UsageError } from '../../runtime/carbon-error.ts';
import type { Field } from './column-aliases.ts';
import type { Mapping, RecordedMapping } from './columns.ts';
import { recordedColumn } from './map-option.ts';

/** A field whose recorded column is missing and that no other column provides. */
export interface LostColumn {
  readonly field: Field;
  /** The header that the journal names. */
  readonly column: string;
  readonly isRepeated: boolean;
  /** The `--map` option for the field, with `...` if no column can be proposed. */
  readonly map: string;
}

/** Returns the recorded fields without a column, except those that `--map` sets. */
export function lostColumns(
  header: readonly string[],
  map: ReadonlyMap<Field, string>,
  recorded: RecordedMapping,
  { columns, doubts }: Mapping,
): readonly LostColumn[] {
  return Object.entries(recorded).flatMap(([name, column]) => {
    const field = name as Field;
    const isGiven = map.has(field) || columns.some((mapped) => mapped.field === field);
    if (isGiven || recordedColumn(header, column) >= 0) return [];
    const doubt = doubts.find((one) => one.field === field && one.kind === 'ambiguous');
    const isRepeated = header.some((other) => other.slice(0, 200) === column);
    return [{ field, column, isRepeated, map: doubt?.map ?? `--map ${field}=...` }];
  });
}

/**
 * Checks that every recorded field has a column. Call it only for a run with rows to send.
 *
 * @throws UsageError for the first field without a column
 */
export function checkLost([lost]: readonly LostColumn[]): void {
  if (lost === undefined) return;
  const { field, column, isRepeated, map } = lost;
  throw new UsageError(
    `The journal reads ${field} from the column "${column}", which this file ${isRepeated ? 'has twice' : 'does not have'}`,
    `Name the column with ${map}, or use --map ${field}= to send all rows without it.`,
    'invalid_input',
  );
}
