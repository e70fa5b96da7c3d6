import { describe, expect, it } from 'vitest';
import { toJsonSchema } from '../../../src/client/api/json-schema.ts';
import { organizationSchema } from '../../../src/client/api/schema.ts';
import { identifierSchema } from '../../../src/client/registration/schema.ts';

describe('identifierSchema', () => {
  it('rejects an empty name and unknown fields', () => {
    expect(identifierSchema.safeParse({ name: 'Acme' }).success).toBe(true);
    expect(identifierSchema.safeParse({ name: '' }).success).toBe(false);
    expect(identifierSchema.safeParse({ name: 'Acme', color: 'red' }).success).toBe(false);
  });
});

describe('the JSON Schema', () => {
  it.each([
    ['a record', organizationSchema],
    ['a registration', identifierSchema],
  ])('describes every field of %s', (_, schema) => {
    const undescribed: string[] = [];
    const visit = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, part] of Object.entries(value)) {
        if (name === 'properties')
          for (const [field, of] of Object.entries(part as Record<string, object>))
            if (!('description' in of)) undescribed.push(`${path}.${field}`);
        visit(part, `${path}.${name}`);
      }
    };
    visit(toJsonSchema(schema), '');
    expect(undescribed).toEqual([]);
  });
});
