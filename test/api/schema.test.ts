import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod/mini';
import {
  type ErrorBody,
  type errorBodySchema,
  type Identifier,
  identifierSchema,
  type Organization,
  type organizationSchema,
} from '../../src/api/schema.ts';

/* A type with all types within it, without index signatures, and with every field required. */
type Fields<Of> = Of extends readonly (infer Item)[]
  ? Fields<Item>[]
  : Of extends object
    ? { -readonly [Name in keyof Of as string extends Name ? never : Name]-?: Fields<Of[Name]> }
    : Of;

describe('identifierSchema', () => {
  it('rejects an empty name and unknown fields', () => {
    expect(identifierSchema.safeParse({ name: 'Acme' }).success).toBe(true);
    expect(identifierSchema.safeParse({ name: '' }).success).toBe(false);
    expect(identifierSchema.safeParse({ name: 'Acme', color: 'red' }).success).toBe(false);
  });
});

describe('the types of records', () => {
  it('have the fields of the schemas', () => {
    expectTypeOf<Fields<Organization>>().toEqualTypeOf<
      Fields<z.infer<typeof organizationSchema>>
    >();
    expectTypeOf<Fields<ErrorBody>>().toEqualTypeOf<Fields<z.infer<typeof errorBodySchema>>>();
    expectTypeOf<Fields<Identifier>>().toEqualTypeOf<Fields<z.infer<typeof identifierSchema>>>();
  });
});
