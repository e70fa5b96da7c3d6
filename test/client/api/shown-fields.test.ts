import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Shown, shows } from '../../../src/client/api/schema.ts';
import { findShown, shownFields } from '../../../src/client/api/shown-fields.ts';

const field = (section: Shown['section']) => {
  const schema = z.optional(z.string());
  shows.set(schema, { ...(section && { section }), kind: 'text' });
  return schema;
};
const record = (shape: z.core.$ZodShape) => () => findShown(z.looseObject(shape));
const list = (shape: z.core.$ZodShape) => z.optional(z.array(z.looseObject(shape)));

describe('findShown', () => {
  it('finds fields of objects and of years', () => {
    const shape = {
      cdp: z.looseObject({ status: field('commitments') }),
      performances: list({ employees: field('years') }),
    };
    expect(record(shape)().map(({ path }) => path)).toEqual([['cdp', 'status'], ['employees']]);
    expect(shownFields.length).toBeGreaterThan(5);
  });

  it.each([
    [
      'of a list',
      { sources: list({ date: field('organization') }) },
      'sources.date: it is in a list',
    ],
    [
      'of one of several forms of an item',
      {
        sbti: z.looseObject({
          data: z.array(z.union([z.looseObject({ a: field(undefined) }), z.unknown()])),
        }),
      },
      'sbti.data.a: it is in a list',
    ],
    ['of a year outside of years', { site: field('years') }, 'site: it is in no year'],
    [
      'of the record in a year',
      { performances: list({ employees: field('organization') }) },
      'employees: it is in a year',
    ],
  ])('rejects a field %s, which nothing would show', (_, shape, message) => {
    expect(record(shape)).toThrow(message);
  });
});
