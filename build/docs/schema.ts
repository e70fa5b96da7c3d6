/* Lists the fields of a zod schema as rows of a table. */
import { type core, toJSONSchema, type ZodMiniType } from 'zod/mini';

/** A field of a JSON document. */
export interface Field {
  /** Names from the document to the field, joined by `.`; `[]` means every item of a list. */
  readonly path: string;
  /** For example `number` or `text or integer`. */
  readonly type: string;
  readonly isRequired: boolean;
}

type Schema = core.JSONSchema.BaseSchema;

const names: Readonly<Record<string, string>> = { string: 'text', object: 'object', array: 'list' };

/** Returns every field of an object schema, including nested fields, in schema order. */
export function readFields(schema: ZodMiniType): Field[] {
  return fieldsOf(toJSONSchema(schema, { unrepresentable: 'any' }), '');
}

function fieldsOf(schema: Schema, prefix: string): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const variants = variantsOf(value as Schema);
    const path = `${prefix}${name}`;
    const types = variants.flatMap(({ type = 'any' }) => type).filter((type) => type !== 'null');
    const type = types.map((own) => names[own] ?? own).join(' or ');
    const field = { path, type, isRequired: schema.required?.includes(name) ?? false };
    return [field, ...variants.flatMap((variant) => inside(variant, path))];
  });
}

function inside(schema: Schema, path: string): Field[] {
  if (schema.type !== 'array') return fieldsOf(schema, `${path}.`);
  const items = variantsOf(schema.items as Schema);
  return items.flatMap((item) => fieldsOf(item, `${path}[].`));
}

/* Omits null from the alternatives, because every field of a record may be null. */
function variantsOf(schema: Schema): Schema[] {
  const variants = (schema.anyOf as Schema[] | undefined)?.flatMap(variantsOf) ?? [schema];
  return variants.filter(({ type }) => type !== 'null');
}
