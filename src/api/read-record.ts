/*
 * Reads records whose values may have any type. A parser of the schema library would create an
 * issue for each unexpected value, and a response of 16 MiB can contain eight million of them.
 *
 * The rules are data instead of functions for each schema, because one function for all values is
 * what V8 compiles best (bench/input.ts).
 */
import type * as z from 'zod/mini';
import { type Organization, organizationSchema } from './schema.ts';

/** Contains a record and the paths of values that were dropped for their type. */
export interface ReadRecord {
  /** Record whose values all have the types of the specification. */
  readonly record: Organization;
  /** Paths of dropped values, such as `score` or `sbti.data.0.near_term`; at most 20. */
  readonly droppedPaths: readonly string[];
  /** Number of dropped values. */
  readonly droppedCount: number;
  /** Paths of the arrays that were truncated to 10,000 items. */
  readonly truncatedLists: readonly string[];
}

/** Maximum number of items that are read of one array; real records have far fewer. */
export const maxListItems = 10_000;

const maxNamedPaths = 20;

/**
 * Reads any JSON object as a record.
 *
 * Drops each value of an unexpected type: an array loses the item, a field becomes null. Unknown
 * fields stay. Does not modify the argument, but the record shares values with it.
 */
export function readRecord(value: object): ReadRecord {
  const reader = new RecordReader();
  const record = reader.read(recordRule(), value, 0);
  const { droppedPaths, droppedCount, truncatedLists } = reader;
  return {
    record: (record === dropped ? {} : record) as Organization,
    droppedPaths,
    droppedCount,
    truncatedLists,
  };
}

/* The types of a value; those of a rule are a sum of these. */
const types = { text: 1, number: 2, integer: 4, boolean: 8, null: 16, undefined: 32, any: 64 };

/* The accepted values of one schema. */
interface Rule {
  readonly types: number;
  /* The rule of the items; undefined if the value must be no array. */
  readonly item: Rule | undefined;
  /* The rules of the members; undefined if the value must be no object. */
  readonly members: ReadonlyMap<string, Rule> | undefined;
}

/* Represents a value of an unexpected type. */
const dropped = Symbol('dropped');

type JsonObject = Record<string, unknown>;

class RecordReader {
  readonly droppedPaths: string[] = [];
  readonly truncatedLists: string[] = [];
  droppedCount = 0;
  /* Names and indexes from the record to the current value; those beyond its depth are old. */
  readonly #path: (string | number)[] = [];

  /*
   * Reads a value that `isAccepted` rejects, and returns it, a copy without unexpected parts, or
   * `dropped`.
   */
  read(rule: Rule, value: unknown, depth: number): unknown {
    if (typeof value === 'object' && value !== null) {
      if (rule.members !== undefined && !Array.isArray(value))
        return this.#readObject(rule.members, value as JsonObject, depth);
      if (rule.item !== undefined && Array.isArray(value))
        return this.#readList(rule.item, value, depth);
    }
    if (this.droppedCount < maxNamedPaths) this.droppedPaths.push(this.#pathAt(depth));
    this.droppedCount += 1;
    return dropped;
  }

  #readObject(members: ReadonlyMap<string, Rule>, object: JsonObject, depth: number): JsonObject {
    let kept = object;
    for (const name in object) {
      const rule = members.get(name);
      const value = object[name];
      if (rule === undefined || isAccepted(rule.types, value)) continue;
      this.#path[depth] = name;
      const read = this.read(rule, value, depth + 1);
      if (read === value) continue;
      if (kept === object) kept = { ...object };
      kept[name] = read === dropped ? null : read;
    }
    return kept;
  }

  #readList(rule: Rule, list: readonly unknown[], depth: number): readonly unknown[] {
    const isTruncated = list.length > maxListItems;
    if (isTruncated) this.truncatedLists.push(this.#pathAt(depth));
    let kept: unknown[] | undefined = isTruncated ? [] : undefined;
    const length = Math.min(list.length, maxListItems);
    for (let index = 0; index < length; index += 1) {
      const value = list[index];
      this.#path[depth] = index;
      const read = isAccepted(rule.types, value) ? value : this.read(rule, value, depth + 1);
      if (read !== value) kept ??= list.slice(0, index);
      if (read !== dropped) kept?.push(read);
    }
    return kept ?? list;
  }

  #pathAt(depth: number): string {
    return this.#path.slice(0, depth).join('.');
  }
}

function isAccepted(accepted: number, value: unknown): boolean {
  if ((accepted & types.any) !== 0) return true;
  switch (typeof value) {
    case 'string':
      return (accepted & types.text) !== 0;
    case 'number':
      return (accepted & types.number) !== 0
        ? Number.isFinite(value)
        : (accepted & types.integer) !== 0 && Number.isSafeInteger(value);
    case 'boolean':
      return (accepted & types.boolean) !== 0;
    case 'undefined':
      return (accepted & types.undefined) !== 0;
    default:
      return value === null && (accepted & types.null) !== 0;
  }
}

let rule: Rule | undefined;

function recordRule(): Rule {
  rule ??= createRule(organizationSchema);
  return rule;
}

/* Describes the kind and the parts of a zod schema. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly options?: readonly z.ZodMiniType[];
  readonly format?: string;
}

function createRule(schema: z.ZodMiniType): Rule {
  const { type, innerType, element, shape, options, format } = schema._zod.def as Definition;
  const rule = { types: 0, item: undefined, members: undefined };
  if (innerType !== undefined) {
    const inner = createRule(innerType);
    return { ...inner, types: inner.types | (type === 'nullable' ? types.null : types.undefined) };
  }
  if (element !== undefined) return { ...rule, item: createRule(element) };
  if (shape !== undefined) {
    const members = Object.entries(shape).map(([name, of]) => [name, createRule(of)] as const);
    return { ...rule, members: new Map(members) };
  }
  if (options !== undefined)
    return { ...rule, types: options.reduce((sum, each) => sum | createRule(each).types, 0) };
  if (type === 'string') return { ...rule, types: types.text };
  if (type === 'number')
    return { ...rule, types: format === 'safeint' ? types.integer : types.number };
  if (type === 'boolean') return { ...rule, types: types.boolean };
  if (type === 'unknown') return { ...rule, types: types.any };
  throw new TypeError(`type ${type} of a schema has no rule`);
}
