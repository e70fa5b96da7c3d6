/*
 * Reads records whose values may have any type. A parser of the schema library would create an
 * issue for each unexpected value, and a response of 16 MiB can contain eight million of them.
 *
 * The fields are data instead of functions for each schema, because one function for all values is
 * what V8 compiles best.
 */
import { jsonKinds, type RecordField } from './field-kinds.ts';
import { isObject } from './ids.ts';
import { recordFields } from './record-fields.ts';
import type { Organization } from './schema.ts';
import { anyText, asMember, flagOrText, numberOrText } from './untyped.ts';

/** Contains a record and the paths of values that were dropped for their type. */
export interface ReadRecord {
  /** Record whose values all have the types of the specification. */
  readonly record: Organization;
  /** Paths of dropped values, such as `score` or `sbti.data.0.near_term`; at most 20. */
  readonly droppedPaths: readonly string[];
  /** Number of dropped values. */
  readonly droppedCount: number;
}

const maxNamedPaths = 20;
/* Real records have far fewer items in one array. */
const maxListItems = 10_000;

/**
 * Reads any JSON object as a record.
 *
 * Drops each value of an unexpected type: an array loses the item, a field becomes null. Where the
 * specification gives no type, `untyped.ts` says what becomes of any other than the usual one. An
 * array loses its items beyond the first 10,000, which counts as one dropped value. Unknown fields
 * stay. Does not modify the argument, but the record shares values with it.
 */
export function readRecord(value: object): ReadRecord {
  const reader = new RecordReader();
  const record = reader.read(recordFields, value, 0);
  const { droppedPaths, droppedCount } = reader;
  return {
    record: (record === dropped ? {} : record) as Organization,
    droppedPaths,
    droppedCount,
  };
}

/* Represents a value of an unexpected type. */
const dropped = Symbol('dropped');

class RecordReader {
  readonly droppedPaths: string[] = [];
  droppedCount = 0;
  /* Names and indexes from the record to the current value; those beyond its depth are old. */
  readonly #path: (string | number)[] = [];

  /*
   * Reads a value that `isAccepted` rejects, and returns it, a copy without unexpected parts, or
   * `dropped`. V8 compiles one function that calls itself in half the time of two.
   */
  read(field: RecordField, value: unknown, depth: number): unknown {
    const { members, item, other, main } = field;
    if (members !== undefined && isObject(value)) {
      let kept = value;
      for (const name in value) {
        const known = members.get(name);
        const member = value[name];
        if (known === undefined || isAccepted(known.kinds, member)) continue;
        this.#path[depth] = name;
        const read = this.read(known, member, depth + 1);
        if (read === member) continue;
        if (kept === value) kept = { ...value };
        kept[name] = read === dropped ? null : read;
      }
      return kept;
    }
    if (item !== undefined && Array.isArray(value)) {
      const isTooLong = value.length > maxListItems;
      if (isTooLong) this.#drop(depth);
      let kept: unknown[] | undefined = isTooLong ? [] : undefined;
      const length = Math.min(value.length, maxListItems);
      for (let index = 0; index < length; index += 1) {
        const each: unknown = value[index];
        this.#path[depth] = index;
        const read = isAccepted(item.kinds, each) ? each : this.read(item, each, depth + 1);
        if (read !== each) kept ??= value.slice(0, index);
        if (read !== dropped) kept?.push(read);
      }
      return kept ?? value;
    }
    if (other === 'any') return value;
    if (other === 'number') return numberOrText(value);
    if (other === 'text') return anyText(value);
    if (other === 'flag') return flagOrText(value);
    if (main !== undefined) return this.read(field, asMember(value, main), depth);
    this.#drop(depth);
    return dropped;
  }

  #drop(depth: number): void {
    if (this.droppedCount < maxNamedPaths) this.droppedPaths.push(this.#pathAt(depth));
    this.droppedCount += 1;
  }

  #pathAt(depth: number): string {
    return this.#path.slice(0, depth).join('.');
  }
}

/* A binding of another chunk would be looked up for each value. */
const accepts = jsonKinds;

function isAccepted(accepted: number, value: unknown): boolean {
  if ((accepted & accepts.any) !== 0) return true;
  switch (typeof value) {
    case 'string':
      return (accepted & accepts.text) !== 0;
    case 'number':
      return (accepted & accepts.number) !== 0
        ? Number.isFinite(value)
        : (accepted & accepts.integer) !== 0 && Number.isSafeInteger(value);
    case 'boolean':
      return (accepted & accepts.boolean) !== 0;
    case 'undefined':
      return (accepted & accepts.undefined) !== 0;
    default:
      return value === null && (accepted & accepts.null) !== 0;
  }
}
