/* The zod schema of a record, and the JSON Schema of any zod schema. */
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

/**
 * Returns the JSON Schema (2020-12) of the values that a zod schema accepts.
 *
 * An object allows further members unless its schema rejects them.
 */
export function toJsonSchema(schema: z.ZodMiniType): {
  readonly $schema: string;
  readonly properties?: Readonly<Record<string, object>>;
} {
  const { '~standard': _, ...members } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => omitSafeRange(jsonSchema),
  });
  return members as ReturnType<typeof toJsonSchema>;
}

/* zod limits every integer to the range of exact numbers, which no document requires. */
function omitSafeRange(schema: { minimum?: number; maximum?: number }): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
