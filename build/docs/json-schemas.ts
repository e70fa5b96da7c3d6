/* The JSON Schemas in docs/reference/, of documents that carbon reads or prints. */
import * as z from 'zod/mini';
import { type ErrorObject, failures } from '../../src/cli/errors.ts';
import { toJsonSchema } from '../../src/client/api/json-schema.ts';
import { organizationSchema } from '../../src/client/api/schema.ts';
import { identifierSchema } from '../../src/client/registration/schema.ts';
import type { CarbonErrorCode } from '../../src/runtime/carbon-error.ts';

const codes = Object.keys(failures) as CarbonErrorCode[];
const listed = codes.map((code) => `${code}: ${failures[code].meaning}`).join('; ');

const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string) =>
  schema.check(z.describe(description));

/* The type requires every member of the printed error, and allows no other. */
const members: Readonly<Record<keyof ErrorObject, z.ZodMiniType>> = {
  code: described(z.enum(codes), `Kind of failure; the list is closed. ${listed}.`),
  message: described(z.string(), 'What failed and why, for people'),
  status: described(z.optional(z.int()), 'HTTP status of the error response'),
  title: described(z.optional(z.string()), "title of the service's error body"),
  detail: described(z.optional(z.string()), "detail of the service's error body, verbatim"),
  id: described(z.optional(z.string()), 'ID of the requested organization'),
  retryable: described(z.boolean(), 'Whether the same request may succeed later'),
  exit: described(z.int(), 'Exit code of a command that fails with this error'),
  hint: described(z.optional(z.string()), 'What to do, one sentence'),
};

const errorLineSchema = z.object({ error: z.object(members) });

const documented = {
  record: {
    schema: organizationSchema,
    title: 'Organization',
    description:
      'Record of an organization. Every member may be absent or null. status synced or errored ends the research; any other value, known or not, means that research is in progress.',
  },
  registration: {
    schema: identifierSchema,
    title: 'Registration',
    description:
      'Body of POST /organizations with the members that carbon knows. register --field sends any other member; a service rejects one that it does not know (422).',
  },
  error: {
    schema: errorLineSchema,
    title: 'Error',
    description:
      'Line on standard error that describes the failure of a command. A failed item of several has the same object in the member error of its line on standard output.',
  },
} satisfies Readonly<Record<string, { schema: z.ZodMiniType; title: string; description: string }>>;

/**
 * The JSON Schemas (2020-12) by name. An object allows further members, except the registration,
 * whose members are all known.
 */
export const jsonSchemas: ReadonlyMap<string, object> = new Map(
  Object.entries(documented).map(([name, { schema, title, description }]) => {
    const { $schema, ...members } = toJsonSchema(schema);
    return [name, { $schema, title, description, ...members }];
  }),
);

/** Writes every schema, by path. */
export function writeSchemas(): Record<string, string> {
  return Object.fromEntries(
    [...jsonSchemas].map(([name, schema]) => [
      `docs/reference/${name}.schema.json`,
      `${JSON.stringify(schema, undefined, 2)}\n`,
    ]),
  );
}
