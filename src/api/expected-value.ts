/*
 * Checks records whose values all have the expected types, as nearly all records have, without the
 * bookkeeping that naming an unexpected value needs. It makes reading a snapshot a third faster;
 * the footprint benchmark of `npm run bench` shows the difference.
 */
import type * as z from 'zod/mini';
import { isObject } from './reference.ts';

/** Maximum number of items that are read of one array; real records have far fewer. */
export const maxListItems = 10_000;

type Check = (value: unknown) => boolean;

/* Describes the kind and the parts of a zod schema. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly checks?: readonly unknown[];
  readonly check?: string;
}

const checks = new WeakMap<z.ZodMiniType, Check>();

/**
 * Checks whether a value and all its parts have the types of a schema, and no array exceeds the
 * maximum. Unknown members may have any value.
 */
export function isExpected<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): value is z.infer<Schema> {
  return checkOf(schema)(value);
}

function checkOf(schema: z.ZodMiniType): Check {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const check = compile(schema);
  checks.set(schema, check);
  return check;
}

function compile(schema: z.ZodMiniType): Check {
  const definition = schema._zod.def as Definition;
  const { type, innerType, element, shape } = definition;
  if (innerType) {
    const missing = type === 'nullable' ? null : undefined;
    const inner = checkOf(innerType);
    return (value) => value === missing || inner(value);
  }
  if (element) {
    const item = checkOf(element);
    return (value) => Array.isArray(value) && value.length <= maxListItems && value.every(item);
  }
  if (shape) return compileObject(shape);
  const isPlain = definition.checks === undefined && definition.check === undefined;
  if (type === 'string' && isPlain) return (value) => typeof value === 'string';
  if (type === 'boolean' && isPlain) return (value) => typeof value === 'boolean';
  if (type === 'number' && isPlain) return Number.isFinite;
  if (type === 'unknown') return () => true;
  return (value) => {
    const payload = schema._zod.run({ value, issues: [] }, { async: false });
    return (payload as z.core.ParsePayload).issues.length === 0;
  };
}

function compileObject(shape: Readonly<Record<string, z.ZodMiniType>>): Check {
  const members = Object.entries(shape).map(([name, schema]) => [name, checkOf(schema)] as const);
  return (value) => {
    if (!isObject(value)) return false;
    for (const [name, check] of members) if (!check(value[name])) return false;
    return true;
  };
}
