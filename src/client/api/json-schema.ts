/* The JSON Schema of any zod schema. */
import * as z from 'zod/mini';
import { isObject } from './ids.ts';

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
  return withoutAlternatives(members) as ReturnType<typeof toJsonSchema>;
}

/* Where any value passes, the alternative of the usual type restricts no value without members. */
function withoutAlternatives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAlternatives);
  if (!isObject(value)) return value;
  const { anyOf, ...others } = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutAlternatives(each)]),
  );
  if (!Array.isArray(anyOf)) return others;
  const isAny = anyOf.some((each) => Object.keys(each).length === 0);
  const described = anyOf.filter((each) => each.properties !== undefined);
  if (!isAny) return { ...others, anyOf };
  return described.length === 0 ? others : { ...others, anyOf: [...described, {}] };
}

/* zod limits every integer to the range of exact numbers, which no document requires. */
function omitSafeRange(schema: { minimum?: number; maximum?: number }): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
