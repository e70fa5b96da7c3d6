/** The kinds of JSON value of a field; `RecordField.kinds` is a sum of these. */
export const jsonKinds = {
  text: 1,
  number: 2,
  /** An integer that a double represents exactly. */
  integer: 4,
  boolean: 8,
  null: 16,
  undefined: 32,
  any: 64,
};

/** What a value may be. All fields have one shape, because the reader is faster with it. */
export interface RecordField {
  /** Sum of the accepted `jsonKinds`, except lists and objects. */
  readonly kinds: number;
  /** The items of a list; undefined if the value must be no list. */
  readonly item: RecordField | undefined;
  /** The members of an object, which may have others too; undefined if the value must be none. */
  readonly members: ReadonlyMap<string, RecordField> | undefined;
  /** What becomes of another value, by `untyped.ts`; undefined if it is dropped. */
  readonly other: 'number' | 'text' | 'flag' | 'member' | 'any' | undefined;
  /** The member that another value stands for. */
  readonly main: string | undefined;
}
