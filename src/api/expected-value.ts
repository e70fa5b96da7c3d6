/*
 * Checks records whose values all have the expected types, as nearly all records have, without the
 * bookkeeping that naming an unexpected value needs. It makes reading a snapshot a third faster;
 * the footprint benchmark of `npm run bench` shows the difference.
 *
 * Two functions check all values by rules, which V8 compiles into one. With a function for each
 * schema, the check takes more than twice as long, because each value costs a call.
 */
import type * as z from 'zod/mini';

/** Maximum number of items that are read of one array; real records have far fewer. */
export const maxListItems = 10_000;

/* Describes the kind and the parts of a zod schema. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly options?: readonly z.ZodMiniType[];
  readonly format?: string;
  readonly checks?: readonly unknown[];
}

/* The types of a rule are a sum of these. */
const types = { text: 1, number: 2, safeInteger: 4, boolean: 8, null: 16, missing: 32, any: 64 };

/* The permitted values. */
interface Rule {
  readonly types: number;
  /** The rule of the items of an array; undefined if the value must be no array. */
  readonly item: Rule | undefined;
  /** The rules of the members of an object; undefined if the value must be no object. */
  readonly members: ReadonlyMap<string, Rule> | undefined;
}

const noRule: Rule = { types: 0, item: undefined, members: undefined };
const rules = new WeakMap<z.ZodMiniType, Rule>();

/**
 * Checks whether a value and all its parts have the types of a schema, and no array exceeds the
 * maximum. Unknown members may have any value.
 */
export function isExpected<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): value is z.infer<Schema> {
  let rule = rules.get(schema);
  if (rule === undefined) {
    rule = readRule(schema);
    rules.set(schema, rule);
  }
  return meets(value, rule);
}

function meets(value: unknown, rule: Rule): boolean {
  const permitted = rule.types;
  if (typeof value === 'string' && (permitted & types.text) !== 0) return true;
  if (typeof value === 'number' && (permitted & types.number) !== 0) return Number.isFinite(value);
  if (value === null && (permitted & types.null) !== 0) return true;
  if ((permitted & types.any) !== 0) return true;
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value)
      ? hasExpectedItems(value, rule)
      : hasExpectedMembers(value as JsonObject, rule);
  }
  if (typeof value === 'boolean') return (permitted & types.boolean) !== 0;
  if (value === undefined) return (permitted & types.missing) !== 0;
  return (permitted & types.safeInteger) !== 0 && Number.isSafeInteger(value);
}

function hasExpectedItems(list: readonly unknown[], { item }: Rule): boolean {
  if (item === undefined || list.length > maxListItems) return false;
  for (const each of list) if (!meets(each, item)) return false;
  return true;
}

type JsonObject = Readonly<Record<string, unknown>>;

/* Any member may be absent: `readRule` refuses other schemas. */
function hasExpectedMembers(value: JsonObject, { members }: Rule): boolean {
  if (members === undefined) return false;
  // Never true: V8 converts an object of an outdated form when it first reads a member. If that
  // happens in the loop, all later loops are slow.
  if (value['id'] === members) return false;
  for (const name in value) {
    const rule = members.get(name);
    if (rule !== undefined && !meets(value[name], rule)) return false;
  }
  return true;
}

function readRule(schema: z.ZodMiniType): Rule {
  const definition = schema._zod.def as Definition;
  const { type, innerType, element, shape, options, format, checks = [] } = definition;
  if (checks.length > 0) throw new TypeError(`a check of type ${type} has no rule`);
  if (innerType && (type === 'optional' || type === 'nullable')) {
    const inner = readRule(innerType);
    return { ...inner, types: inner.types | (type === 'nullable' ? types.null : types.missing) };
  }
  if (element) return { ...noRule, item: readRule(element) };
  if (shape) return { ...noRule, members: readMembers(shape) };
  if (options?.every(({ _zod: { def } }) => !('shape' in def || 'element' in def)))
    return { ...noRule, types: options.reduce((sum, each) => sum | readRule(each).types, 0) };
  return { ...noRule, types: readType(type, format) };
}

function readMembers(shape: NonNullable<Definition['shape']>): ReadonlyMap<string, Rule> {
  const members = Object.entries(shape).map(([name, schema]) => [name, readRule(schema)] as const);
  const required = members.find(([, rule]) => (rule.types & (types.missing | types.any)) === 0);
  if (required !== undefined) throw new TypeError(`member ${required[0]} must be optional`);
  return new Map(members);
}

function readType(type: string, format: string | undefined): number {
  if (type === 'string' && format === undefined) return types.text;
  if (type === 'number' && format === undefined) return types.number;
  if (type === 'number' && format === 'safeint') return types.safeInteger;
  if (type === 'boolean') return types.boolean;
  if (type === 'unknown') return types.any;
  throw new TypeError(`type ${type} of a schema has no rule`);
}
