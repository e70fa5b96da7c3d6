/*
 * Reads records whose values may have any type. The schema alone would create an object for each
 * unexpected value, and a response of 16 MiB can contain eight million of them.
 */
import type * as z from 'zod/mini';
import { isExpected, maxListItems } from './expected-value.ts';
import { isObject } from './ids.ts';
import { type factorRecordSchema, type Organization, organizationSchema } from './schema.ts';

/** Contains a record and the paths of values that were dropped for their type. */
export interface ReadRecord {
  /** Record whose values all have the types of the specification. */
  readonly record: Organization;
  /** Paths of dropped values, such as `score` or `sbti.data.0.near_term`; at most 20. */
  readonly oddities: readonly string[];
  /** Number of dropped values. */
  readonly oddityCount: number;
  /** Paths of the arrays that were truncated to 10,000 items. */
  readonly cutLists: readonly string[];
}

export { maxListItems } from './expected-value.ts';

/** A schema with all members of a record, or with those that factors are calculated from. */
export type RecordSchema = typeof organizationSchema | typeof factorRecordSchema;

/**
 * Reads any JSON object as a record.
 *
 * Drops each value of an unexpected type: an array loses the item, a field becomes null. Unknown
 * fields stay. Does not modify the argument, but the record shares values with it.
 * @param schema the members to check; all others stay unchanged
 */
export function readRecord(value: object, schema: RecordSchema = organizationSchema): ReadRecord {
  if (isExpected(schema, value)) return { ...noOddities, record: value as Organization };
  const reader = new RecordReader();
  const record = reader.read(schema, value);
  return {
    record: (record === unexpected ? {} : record) as Organization,
    oddities: reader.oddities,
    oddityCount: reader.oddityCount,
    cutLists: reader.cutLists,
  };
}

const noOddities = { oddities: [], oddityCount: 0, cutLists: [] } as const;

const maxNamedOddities = 20;

/* Represents a value of an unexpected type. */
const unexpected = Symbol('unexpected');

/* Describes the kind and the parts of a zod schema. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
}

class RecordReader {
  readonly oddities: string[] = [];
  readonly cutLists: string[] = [];
  oddityCount = 0;
  /* Path of the current value. */
  readonly #path: (string | number)[] = [];

  /** Returns the value without unexpected parts, or `unexpected`. */
  read(schema: z.ZodMiniType, value: unknown): unknown {
    const { type, innerType, element, shape } = schema._zod.def as Definition;
    if (innerType) {
      const isMissing = type === 'nullable' ? value === null : value === undefined;
      return isMissing ? value : this.read(innerType, value);
    }
    if (element) return Array.isArray(value) ? this.#readList(element, value) : this.#drop();
    if (shape) return isObject(value) ? this.#readObject(shape, value) : this.#drop();
    const { issues } = schema._zod.run(
      { value, issues: [] },
      { async: false },
    ) as z.core.ParsePayload;
    return issues.length === 0 ? value : this.#drop();
  }

  #readList(element: z.ZodMiniType, list: readonly unknown[]): readonly unknown[] {
    if (list.length > maxListItems) this.cutLists.push(this.#path.join('.'));
    return list
      .slice(0, maxListItems)
      .map((item, index) => this.#readAt(index, element, item))
      .filter((item) => item !== unexpected);
  }

  #readObject(shape: Readonly<Record<string, z.ZodMiniType>>, object: JsonObject): JsonObject {
    let kept = object;
    for (const name in shape) {
      const value = object[name];
      const read = this.#readAt(name, shape[name] as z.ZodMiniType, value);
      if (read === value) continue;
      if (kept === object) kept = { ...object };
      kept[name] = read === unexpected ? null : read;
    }
    return kept;
  }

  #readAt(key: string | number, schema: z.ZodMiniType, value: unknown): unknown {
    this.#path.push(key);
    const read = this.read(schema, value);
    this.#path.pop();
    return read;
  }

  #drop(): typeof unexpected {
    if (this.oddityCount < maxNamedOddities) this.oddities.push(this.#path.join('.'));
    this.oddityCount++;
    return unexpected;
  }
}

type JsonObject = Record<string, unknown>;
