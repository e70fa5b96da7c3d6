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
  if (innerType) return compileMissing(type === 'nullable' ? null : undefined, innerType);
  if (element) {
    const item = checkOf(element);
    return (value) => Array.isArray(value) && value.length <= maxListItems && value.every(item);
  }
  if (shape) return compileObject(shape);
  const isPlain = definition.checks === undefined && definition.check === undefined;
  if (type === 'string' && isPlain) return isString;
  if (type === 'boolean' && isPlain) return (value) => typeof value === 'boolean';
  if (type === 'number' && isPlain) return Number.isFinite;
  if (type === 'unknown') return () => true;
  return (value) => {
    const payload = schema._zod.run({ value, issues: [] }, { async: false });
    return (payload as z.core.ParsePayload).issues.length === 0;
  };
}

/* Nearly all members are optional and nullable: one function checks both. */
function compileMissing(missing: null | undefined, innerType: z.ZodMiniType): Check {
  const { type, innerType: innermost } = innerType._zod.def as Definition;
  if (missing === null || type !== 'nullable' || innermost === undefined) {
    const inner = checkOf(innerType);
    return (value) => value === missing || inner(value);
  }
  const inner = checkOf(innermost);
  if (inner === Number.isFinite) return isNullishNumber;
  if (inner === isString) return (value) => typeof value === 'string' || isMissing(value);
  return (value) => isMissing(value) || inner(value);
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function isNullishNumber(value: unknown): boolean {
  return Number.isFinite(value) || isMissing(value);
}

/*
 * A loop over the members of the value is faster than one over those of the schema: V8 reads them
 * by their position, and few of the many figures of a scope are present.
 */
function compileObject(shape: Readonly<Record<string, z.ZodMiniType>>): Check {
  const members = new Map(Object.entries(shape).map(([name, schema]) => [name, checkOf(schema)]));
  const required = [...members].filter(([, check]) => !check(undefined));
  const hasRequired = (value: JsonObject) => required.every(([name, check]) => check(value[name]));
  const isExpectedObject = (value: JsonObject) => {
    for (const name in value) if (members.get(name)?.(value[name]) === false) return false;
    return required.length === 0 || hasRequired(value);
  };
  if ([...members.values()].some((check) => check !== isNullishNumber)) {
    return (value) => isObject(value) && isExpectedObject(value);
  }
  return (value) => isObject(value) && (hasOnlyNumbers(value) || isExpectedObject(value));
}

type JsonObject = Readonly<Record<string, unknown>>;

function hasOnlyNumbers(value: JsonObject): boolean {
  for (const name in value) if (!isNullishNumber(value[name])) return false;
  return true;
}
