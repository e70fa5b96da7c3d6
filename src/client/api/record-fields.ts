/*
 * The fields of a record as data, for the reader of files: it needs a table that takes no time to
 * build. The build replaces this module by its result, so that no command loads zod for it.
 */
import type * as z from 'zod/mini';
import { type Field, kinds } from './field-kinds.ts';
import { organizationSchema } from './schema.ts';

/** Returns the fields that a schema accepts. */
function fieldOf(schema: z.core.$ZodType): Field {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const plain = (sum: number): Field => ({ kinds: sum, item: undefined, members: undefined });
  switch (def.type) {
    case 'optional':
      return withKind(fieldOf(def.innerType), kinds.undefined);
    case 'nullable':
      return withKind(fieldOf(def.innerType), kinds.null);
    case 'union':
      return plain(def.options.reduce((sum, option) => sum | fieldOf(option).kinds, 0));
    case 'array':
      return { ...plain(0), item: fieldOf(def.element) };
    case 'object': {
      const entries = Object.entries(def.shape);
      return {
        ...plain(0),
        members: new Map(entries.map(([name, member]) => [name, fieldOf(member)])),
      };
    }
    case 'number':
      return plain('format' in def ? kinds.integer : kinds.number);
    case 'string':
      return plain(kinds.text);
    case 'boolean':
      return plain(kinds.boolean);
    case 'unknown':
      return plain(kinds.any);
    default:
      throw new Error(`the reader of files has no rule for the schema ${def.type}`);
  }
}

function withKind(field: Field, kind: number): Field {
  return { ...field, kinds: field.kinds | kind };
}

/** The fields of a record (section 2.1). */
export const recordFields: Field = fieldOf(organizationSchema);
