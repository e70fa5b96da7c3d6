/*
 * Columns that a journal names and the file does not have. Without the field each row would be
 * another one and be sent again, so the user decides: most often the column was renamed.
 */
import { UsageError } from '../../runtime/carbon-error.ts';
import type { Field } from './column-aliases.ts';
import type { Mapping, RecordedMapping } from './columns.ts';
import { recordedColumn } from './map-option.ts';

/** A field whose recorded column is gone and that no other column is known to give. */
export interface LostColumn {
  readonly field: Field;
  /** The header that the journal names. */
  readonly column: string;
  readonly isRepeated: boolean;
  /** The option that names the column, as far as it can be guessed. */
  readonly map: string;
}

/** The recorded fields without a column, but for those that `--map` decides. */
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
 * Checks that no recorded field lacks a column, for a run that has rows to send.
 * @throws UsageError when one does
 */
export function checkLost([lost]: readonly LostColumn[]): void {
  if (lost === undefined) return;
  const { field, column, isRepeated, map } = lost;
  throw new UsageError(
    `The journal takes ${field} from the column "${column}", which this file ${isRepeated ? 'has twice' : 'does not have'}`,
    `Name its column: ${map}; --map ${field}= sends all rows without it.`,
    'invalid_input',
  );
}
