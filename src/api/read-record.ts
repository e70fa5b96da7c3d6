/*
 * Reads records whose values may have any type. The schema itself cannot: it keeps an object for
 * each unexpected value, and a response of 16 MiB holds eight million of them.
 */
import type * as z from 'zod/mini';
import { isObject } from './reference.ts';
import { type Organization, organizationSchema } from './schema.ts';

/** A record that was read, and the places of values whose type is not the specification's. */
export interface ReadRecord {
  /** The record with values of the specification's types only. */
  readonly record: Organization;
  /**
   * Paths such as `score` or `sbti.data.0.near_term`, whose values were left out of `record`; at
   * most 20.
   */
  readonly oddities: readonly string[];
  /** How many values were left out because of their type. */
  readonly oddityCount: number;
  /** Paths of the lists of which only the first `maxListItems` were read. */
  readonly cutLists: readonly string[];
}

/**
 * How many items of one list are read: no organization has as many, and no view could show more in
 * time.
 */
export const maxListItems = 10_000;

/**
 * Reads any JSON object as a record, in one pass.
 *
 * Leaves out each value of an unexpected type: a list loses the item, a field becomes null. Does
 * not change the argument; the record shares the expected values with it.
 */
export function readRecord(value: object): ReadRecord {
  const reader = new RecordReader();
  const record = reader.read(organizationSchema, value);
  return {
    record: (record === unexpected ? {} : record) as Organization,
    oddities: reader.oddities,
    oddityCount: reader.oddityCount,
    cutLists: reader.cutLists,
  };
}

const maxNamedOddities = 20;

/* Stands for a value of an unexpected type. */
const unexpected = Symbol('unexpected');

/* The kind and the parts of a zod schema. */
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
  /* Where the value stands that is being read. */
  readonly #path: (string | number)[] = [];

  /** Returns the value without what is unexpected in it, or `unexpected`. */
  read(schema: z.ZodMiniType, value: unknown): unknown {
    const { type, innerType, element, shape } = schema._zod.def as Definition;
    if (innerType) {
      const isMissing = type === 'nullable' ? value === null : value === undefined;
      return isMissing ? value : this.read(innerType, value);
    }
    if (element) return Array.isArray(value) ? this.#readList(element, value) : this.#leaveOut();
    if (shape) return isObject(value) ? this.#readObject(shape, value) : this.#leaveOut();
    const { issues } = schema._zod.run(
      { value, issues: [] },
      { async: false },
    ) as z.core.ParsePayload;
    return issues.length === 0 ? value : this.#leaveOut();
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

  #leaveOut(): typeof unexpected {
    if (this.oddityCount < maxNamedOddities) this.oddities.push(this.#path.join('.'));
    this.oddityCount++;
    return unexpected;
  }
}

type JsonObject = Record<string, unknown>;
