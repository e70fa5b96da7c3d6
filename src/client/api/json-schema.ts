/* The JSON Schema of any zod schema. */
import * as z from 'zod/mini';
import { usuals } from './schema.ts';

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
    // The override describes the values that a check of our own accepts.
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      omitSafeRange(jsonSchema);
      const { object, other } = usuals.get(zodSchema) ?? {};
      if (object === undefined) return;
      const { $schema, ...usual } = toJsonSchema(object);
      if (other === undefined) Object.assign(jsonSchema, usual);
      else jsonSchema.anyOf = [usual as typeof jsonSchema, {}];
    },
  });
  return members as ReturnType<typeof toJsonSchema>;
}

/* zod limits every integer to the range of exact numbers, which no document requires. */
function omitSafeRange(schema: { minimum?: number; maximum?: number }): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
