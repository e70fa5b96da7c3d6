/*
 * The fields of a record as data, for the reader of files: it needs a table that takes no time to
 * build. The build replaces this module by its result, so that no command loads zod for it.
 */
import type * as z from 'zod/mini';
import { jsonKinds, type RecordField } from './field-kinds.ts';
import { organizationSchema, usuals } from './schema.ts';

const none = { item: undefined, members: undefined, other: undefined, main: undefined };
const plain = (sum: number): RecordField => ({ ...none, kinds: sum });

/** Returns the fields that a schema accepts. */
function fieldOf(schema: z.core.$ZodType): RecordField {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
      return withKind(fieldOf(def.innerType), jsonKinds.undefined);
    case 'nullable':
      return withKind(fieldOf(def.innerType), jsonKinds.null);
    case 'union':
      if (def.options.some(({ _zod }) => _zod.def.type === 'unknown'))
        return { ...fieldOf(def.options[0] as z.core.$ZodType), other: 'any' };
      return plain(def.options.reduce((sum, option) => sum | fieldOf(option).kinds, 0));
    case 'pipe':
      return usualField(schema);
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
      return plain('format' in def ? jsonKinds.integer : jsonKinds.number);
    case 'string':
      return plain(jsonKinds.text);
    case 'boolean':
      return plain(jsonKinds.boolean);
    case 'unknown':
      return plain(jsonKinds.any);
    default:
      throw new Error(`the reader of files has no rule for the schema ${def.type}`);
  }
}

/* Returns the field of a value whose type the specification does not give. */
function usualField(schema: z.core.$ZodType): RecordField {
  const usual = usuals.get(schema);
  if (usual === undefined) throw new Error('the reader of files has no rule for this conversion');
  const { other, object, main } = usual;
  const { text, number, boolean } = jsonKinds;
  if (other === undefined) return fieldOf(object as z.core.$ZodType);
  const kinds = { number, text, flag: boolean, member: 0 }[other] | jsonKinds.null;
  return { ...(object === undefined ? plain(0) : fieldOf(object)), kinds, other, main };
}

function withKind(field: RecordField, kind: number): RecordField {
  return { ...field, kinds: field.kinds | kind };
}

/** The fields of a record (section 2.1). */
export const recordFields: RecordField = fieldOf(organizationSchema);
