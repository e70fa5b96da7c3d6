import * as z from 'zod/mini';
import { type Field, kinds, type Organization, organization } from './schema.ts';

/** Schema of a record (section 2.1). */
export const organizationSchema = schemaOf(organization) as z.ZodMiniObject<{
  readonly [Name in keyof Organization]-?: z.ZodMiniType<Organization[Name]>;
}>;

function schemaOf(field: Field): z.ZodMiniType {
  const has = (kind: number) => (field.kinds & kind) !== 0;
  let schema = requiredSchemaOf(field, has);
  if (has(kinds.null) && !has(kinds.any)) schema = z.nullable(schema);
  if (has(kinds.undefined)) schema = z.optional(schema);
  if (field.description !== '') z.globalRegistry.add(schema, { description: field.description });
  return schema;
}

function requiredSchemaOf({ members, item }: Field, has: (kind: number) => boolean): z.ZodMiniType {
  if (members !== undefined)
    return z.looseObject(
      Object.fromEntries([...members].map(([name, field]) => [name, schemaOf(field)])),
    );
  if (item !== undefined) return z.array(schemaOf(item));
  if (has(kinds.any)) return z.unknown();
  if (has(kinds.integer)) return z.union([z.string(), z.int()]);
  if (has(kinds.text)) return z.string();
  return has(kinds.number) ? z.number() : z.boolean();
}
