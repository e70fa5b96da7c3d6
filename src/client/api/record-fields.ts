/*
 * The fields of a record as data, for the reader of files: it needs a table that takes no time to
 * build. The build replaces this module by its result, so that no command loads zod for it.
 */
import type * as z from 'zod/mini';
import { type Field, kinds } from './field-kinds.ts';
import { mainMembers, organizationSchema } from './schema.ts';

const none = { item: undefined, members: undefined, other: undefined, main: undefined };
const plain = (sum: number): Field => ({ ...none, kinds: sum });

/** Returns the fields that a schema accepts. */
function fieldOf(schema: z.core.$ZodType): Field {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
      return withKind(fieldOf(def.innerType), kinds.undefined);
    case 'nullable':
      return withKind(fieldOf(def.innerType), kinds.null);
    case 'union':
      if (def.options.some(({ _zod }) => _zod.def.type === 'pipe'))
        return usualField(def.options[0] as z.core.$ZodType);
      if (def.options.some(({ _zod }) => _zod.def.type === 'unknown'))
        return { ...fieldOf(def.options[0] as z.core.$ZodType), other: 'any' };
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

/* Returns the field of a value whose type the specification does not give. */
function usualField(usual: z.core.$ZodType): Field {
  const field = fieldOf(usual);
  if (field.members === undefined) {
    const isNumber = field.kinds === kinds.number;
    return { ...field, other: isNumber ? 'number' : field.kinds === kinds.text ? 'text' : 'flag' };
  }
  return { ...field, other: 'member', main: mainMembers.get(usual)?.main };
}

function withKind(field: Field, kind: number): Field {
  return { ...field, kinds: field.kinds | kind };
}

/** The fields of a record (section 2.1). */
export const recordFields: Field = fieldOf(organizationSchema);
