/*
 * Checks that the journals of a file agree about its columns. The mapped cells decide a row's key
 * and thus its shard: with different columns, shards would omit some rows and send others twice.
 */
import { basename } from 'node:path';
import { UsageError } from '../../runtime/carbon-error.ts';
import type { Field } from './column-aliases.ts';
import type { Mapping } from './columns.ts';
import { fields, mapOption } from './map-option.ts';

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
    const both = [own, other].map((one) => {
      const index = indexOf(one, field);
      return {
        text: `${index === undefined ? 'no column' : header[index]} in ${basename(one.path)}`,
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
