/*
 * Describes the service as an OpenAPI 3.1 document, from the schemas with which the client reads
 * records and the sandbox reads registrations. Only a request for the document loads this file.
 */
import * as z from 'zod/mini';
import { toJsonSchema } from '../api/json-schema.ts';
import { organizationSchema } from '../api/organization-schema.ts';
import { identifierSchema } from '../registration/schema.ts';
import { jsonResponse, problem, type SandboxResponse } from './responses.ts';
import { ratesPerDollar, regionCodes } from './tables.ts';

const status = z.int().check(z.describe('HTTP status of the response'));
const detail = z.string();

/* The forms of an error in section 2.10 of the specification. */
const errorSchema = z.looseObject({ status, title: z.string(), detail });
const noMatchSchema = z.looseObject({ status, detail });
const notRegisteredSchema = z.looseObject({ status, title: z.string(), detail, id: z.string() });

function toSchema(schema: z.ZodMiniType) {
  const { $schema, ...members } = toJsonSchema(schema);
  return members;
}

const currency = { enum: Object.keys(ratesPerDollar) };

/* What the sandbox checks besides types; it also accepts codes in lower case. */
const checked: Readonly<Record<string, object>> = {
  name: { pattern: '\\S' },
  hq_region: { enum: [...regionCodes] },
  currency,
};

function registrationSchema(): object {
  const { properties = {}, ...members } = toSchema(identifierSchema);
  const described = Object.entries(properties).map(([name, schema]) => [
    name,
    { ...schema, ...checked[name] },
  ]);
  return { ...members, properties: Object.fromEntries(described) };
}

function json(name: string): object {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
}

const text = { schema: { type: 'string' } };
const headers: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': text },
  429: {
    'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
    RateLimit: text,
    'RateLimit-Policy': text,
  },
};

function errors(labels: Readonly<Record<number, string>>): object {
  return Object.fromEntries(
    Object.entries(labels).map(([code, description]) => [
      code,
      { description, headers: headers[Number(code)], content: json('Error') },
    ]),
  );
}

const always = { 401: 'Unauthorized', 429: 'Too many organizations', 500: 'Server error' };
const other = { description: 'Any other error, such as a fault', content: json('Error') };

function describeService(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Organization carbon data service',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Registers organizations and returns their carbon data. The sandbox of carbon serves this document and synthetic data.',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths: {
      '/organizations': {
        post: {
          operationId: 'registerOrganization',
          summary: 'Register an organization (safe to repeat)',
          requestBody: { required: true, content: json('Registration') },
          responses: {
            200: { description: 'The organization', content: json('Organization') },
            404: { description: 'No organization matches', content: json('NoMatch') },
            ...errors({ ...always, 400: 'Bad request', 422: 'Unrecognized parameters' }),
            default: other,
          },
        },
      },
      '/organizations/{id}': {
        get: {
          operationId: 'getOrganization',
          summary: 'Retrieve a registered organization',
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
            {
              name: 'currency',
              in: 'query',
              description: 'ISO 4217 currency of revenue and emission factors',
              schema: { type: 'string', ...currency },
            },
          ],
          responses: {
            200: { description: 'The organization', content: json('Organization') },
            404: { description: 'Not registered', content: json('NotRegistered') },
            ...errors({ ...always, 400: 'Bad request' }),
            default: other,
          },
        },
      },
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Organization: toSchema(organizationSchema),
        Registration: registrationSchema(),
        Error: toSchema(errorSchema),
        NoMatch: toSchema(noMatchSchema),
        NotRegistered: toSchema(notRegisteredSchema),
      },
    },
  };
}

/** Responds to a request for the document, which needs no API key. */
export function respondWithOpenApi(method: string): SandboxResponse {
  if (method !== 'GET') return problem(405, 'This path supports only GET.', { Allow: 'GET' });
  return jsonResponse(200, JSON.stringify(describeService()));
}
