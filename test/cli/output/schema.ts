import fc from 'fast-check';
import type { z } from 'zod/mini';
import type { Organization } from '../../../src/client/api/schema.ts';
import { details, organizationSchema, usuals } from '../../../src/client/api/schema.ts';
import { anyCharacter } from '../../support/seed.ts';

/* The parts of a zod schema that the functions below read. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly options?: readonly z.ZodMiniType[];
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
}

function definition(schema: z.ZodMiniType): Definition {
  const usual = usuals.get(schema);
  if (usual?.object !== undefined) return definition(usual.object);
  const types = { number: 'number', text: 'string', flag: 'boolean', member: 'object' };
  return usual?.other === undefined
    ? (schema._zod.def as Definition)
    : { type: types[usual.other] };
}

/**
 * Builds a value that has every field of a schema, one item in every list.
 * @param leaf returns the value of a field; a field in a detail is one
 */
export function build(
  schema: z.ZodMiniType,
  leaf: (type: string, path: string, isDetail: boolean) => unknown,
  path = '',
  inDetail = false,
): unknown {
  const isDetail = inDetail || details.has(schema);
  const { type, innerType, element, options, shape } = definition(schema);
  const inner = innerType ?? element ?? options?.[0];
  if (inner !== undefined) {
    const value = build(inner, leaf, path, isDetail);
    return element === undefined ? value : [value];
  }
  if (!shape) return leaf(type, path, isDetail);
  return Object.fromEntries(
    Object.entries(shape).map(([key, part]) => [
      key,
      build(part, leaf, path ? `${path}.${key}` : key, isDetail),
    ]),
  );
}

/** Generates hostile text. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    'synced',
    '\u001b[2J\u001b[H',
    'a\nError: forged\r\tb',
    '\u202egnp.exe',
    '=cmd()',
    'x'.repeat(2_000),
    '漢字'.repeat(60),
    `Z${'\u0301'.repeat(500)}`,
    'क्'.repeat(40),
    'EUR',
    'DE',
    '2025-03-03',
  ),
);
const hostileNumber = fc.oneof(
  fc.constantFrom(0, -0, 1, -5, 0.5, 1e300, -1e300, 5e-324, 1e15, 2023, 99_999.5),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

/*
 * Generates values of a schema's types: hostile texts, extreme numbers, fields absent or null,
 * lists of any length.
 */
function arbitrary(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  const { type, innerType, element, options, shape } = definition(schema);
  if (type === 'optional' && innerType)
    return fc.option(arbitrary(innerType), { nil: undefined, freq: 6 });
  if (type === 'nullable' && innerType)
    return fc.option(arbitrary(innerType), { nil: null, freq: 6 });
  if (element) return fc.array(arbitrary(element), { maxLength: 4 });
  if (options) return fc.oneof(...options.map(arbitrary));
  if (shape) {
    return fc.record(
      Object.fromEntries(Object.entries(shape).map(([key, part]) => [key, arbitrary(part)])),
    );
  }
  return type === 'number' ? hostileNumber : type === 'boolean' ? fc.boolean() : hostileText;
}

/** Generates records with hostile texts, extreme numbers, absent fields and lists of any length. */
export const anyOrganization = arbitrary(organizationSchema) as fc.Arbitrary<Organization>;
