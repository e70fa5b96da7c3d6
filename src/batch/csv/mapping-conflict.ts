/*
 * Whether the journals of a file agree about its columns. The cells of a row decide its key and so
 * its shard: shards with different columns would leave rows out and register others twice.
 */
import { basename } from 'node:path';
import { UsageError } from '../../runtime/carbon-error.ts';
import type { Field } from './column-aliases.ts';
import type { Mapping } from './columns.ts';
import { fields, mapOption } from './map-option.ts';

/** What the mapping of one journal makes of this file's header. */
export interface ReadMapping {
  /** Path of the journal. */
  readonly path: string;
  readonly mapping: Mapping;
}

/**
 * Checks that all journals take each field from the same column of this file. They may have
 * different headers for it: an export may rename a column between the runs of two shards.
 * @throws UsageError where they do not
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
      `The journals of this file take ${field} from different columns: ${both.map(({ text }) => text).join(', ')}`,
      `Choose one in each run: ${both.map(({ option }) => option).join(' or ')}. Rows that change with it are sent.`,
      'invalid_input',
    );
  }
}

function indexOf({ mapping }: ReadMapping, field: Field): number | undefined {
  return mapping.columns.find((column) => column.field === field)?.index;
}
