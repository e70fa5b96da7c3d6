/*
 * Compares the mapping that journals recorded with the columns of a file. The mapped cells decide a
 * row's key and thus its shard. Without a recorded field every row would be sent again. With
 * different columns, shards would omit some rows and send others twice. The user decides in both
 * cases.
 */
import { basename } from 'node:path';
import type { Field } from '../registration/header-words.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import { fields, mapOption } from '../table/map-option.ts';
import type { Mapping } from './columns.ts';

/** Headers by field, as a journal records them. */
export type RecordedMapping = Readonly<Partial<Record<Field, string>>>;

/** Returns the part of a header that a journal records. */
export function recordedHeader(header: string): string {
  return header.slice(0, 200);
}

/**
 * Finds the index of a column that a journal names, from 0; returns -1 if no column or several have
 * the name.
 */
export function recordedColumn(header: readonly string[], column: string | undefined): number {
  const matching = header.flatMap((other, index) =>
    recordedHeader(other) === column ? [index] : [],
  );
  return matching.length === 1 ? (matching[0] ?? -1) : -1;
}

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
    const doubt = doubts.find((each) => each.field === field && each.kind === 'ambiguous');
    const isRepeated = header.some((other) => recordedHeader(other) === column);
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
    `Name the column with ${map}, or use --map ${field}= to leave the field out.`,
    'invalid_input',
  );
}

/** The mapping of this file's header according to one journal. */
export interface ReadMapping {
  /** Path of the journal. */
  readonly path: string;
  readonly mapping: Mapping;
}

/**
 * Checks that all journals read each field from the same column of this file. They may record
 * different headers for it, because a column may be renamed between the runs of two shards.
 *
 * @throws UsageError for the first field that two journals read from different columns
 */
export function checkAgreement(
  header: readonly string[],
  own: ReadMapping,
  others: readonly ReadMapping[],
): void {
  for (const other of others) {
    const field = fields.find((each) => indexOf(own, each) !== indexOf(other, each));
    if (field === undefined) continue;
    const both = [own, other].map((read) => {
      const index = indexOf(read, field);
      return {
        text: `${index === undefined ? 'no column' : header[index]} in ${basename(read.path)}`,
        option: index === undefined ? `--map ${field}=` : mapOption(field, header, index),
      };
    });
    throw new UsageError(
      `The journals of this file read ${field} from different columns: ${both.map(({ text }) => text).join(', ')}`,
      `Use the same option in every run: ${both.map(({ option }) => option).join(' or ')}. Rows whose values change are sent again.`,
      'invalid_input',
    );
  }
}

function indexOf({ mapping }: ReadMapping, field: Field): number | undefined {
  return mapping.columns.find((column) => column.field === field)?.index;
}
