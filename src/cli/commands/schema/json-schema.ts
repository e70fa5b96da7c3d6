import type { ZodMiniType } from 'zod/mini';
import { toJsonSchema } from '../../../api/json-schema.ts';
import { identifierSchema, organizationSchema } from '../../../api/schema.ts';
import { identifierFields } from '../../../registration/fields.ts';
import type { DocumentName } from '../schema.ts';
import { errorLineSchema } from './error.ts';
import { messageSchema } from './events.ts';
import { runSummarySchema } from './run-summary.ts';

interface Documented {
  readonly schema: ZodMiniType;
  readonly title: string;
  readonly description: string;
}

const described: Readonly<Record<DocumentName, Documented>> = {
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
      'Body of POST /organizations with the members that carbon knows. register --field sends any other member; a service refuses one that it does not know (422).',
  },
  error: {
    schema: errorLineSchema,
    title: 'Error',
    description:
      'Line on standard error that describes the failure of a command. A failed item of several has the same object in the member error of its line on standard output.',
  },
  events: {
    schema: messageSchema,
    title: 'Message',
    description:
      'Line on standard error with --json: an event, a warning, an error or a debug line.',
  },
  summary: {
    schema: runSummarySchema,
    title: 'Run summary',
    description:
      'File that --metrics-file run.json of batch, watch and footprint writes. The last event of a batch has its own form, with event summary: see the schema events.',
  },
};

/**
 * Returns the JSON Schema (2020-12) of a document.
 *
 * An object permits further members, except the registration, whose members are all known.
 */
export function jsonSchemaOf(name: DocumentName): object {
  const { schema, title, description } = described[name];
  const { $schema, ...members } = toJsonSchema(schema);
  if (name === 'registration') {
    for (const { name: field, about } of identifierFields)
      Object.assign(members.properties?.[field] ?? {}, { description: about });
  }
  return { $schema, title, description, ...members };
}
