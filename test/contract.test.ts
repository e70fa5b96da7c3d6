import { describe, expect, it } from 'vitest';
import { identifierSchema } from '../src/contract.ts';

describe('identifierSchema', () => {
  it('is strict about what is written', () => {
    expect(identifierSchema.safeParse({ name: 'Acme' }).success).toBe(true);
    expect(identifierSchema.safeParse({ name: '' }).success).toBe(false);
    expect(identifierSchema.safeParse({ name: 'Acme', colour: 'red' }).success).toBe(false);
  });
});
