/*
 * Describes the service as an OpenAPI 3.1 document, from the schemas of client and sandbox. Only a
 * request for the document loads this file.
 */
import type * as z from 'zod/mini';
import { errorSchemas } from '../client/api/error-schemas.ts';
import { toJsonSchema } from '../client/api/json-schema.ts';
import { organizationSchema } from '../client/api/schema.ts';
import { isoCodes } from '../client/registration/iso-codes.ts';
import { identifierSchema } from '../client/registration/schema.ts';
import { ratesPerDollar } from './records.ts';
import { jsonResponse, problem, type SandboxResponse } from './routes.ts';

function toSchema(schema: z.ZodMiniType) {
  const { $schema, ...members } = toJsonSchema(schema);
  return members;
}

const currency = { enum: Object.keys(ratesPerDollar) };

/* Adds what the sandbox checks besides types; it also accepts codes in lower case. */
function registrationSchema(): object {
  const { properties = {}, ...members } = toSchema(identifierSchema);
  const { name, hq_region, ...others } = properties as Record<string, object>;
  return {
    ...members,
    properties: {
      name: { ...name, pattern: '\\S' },
      hq_region: { ...hq_region, enum: [...isoCodes] },
      ...others,
      currency: { ...others['currency'], ...currency },
    },
  };
}

function json(name: string): object {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
}

function errors(labels: Readonly<Record<number, string>>): object {
  const all = {
    401: 'Unauthorized',
    429: 'Too many organizations',
    500: 'Server error',
    ...labels,
    default: 'Any other error, such as a fault',
  };
  return Object.fromEntries(
    Object.entries(all).map(([code, description]) => [
      code,
      { description, content: json('Error') },
    ]),
  );
}

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
            ...errors({ 400: 'Bad request', 422: 'Unrecognized parameters' }),
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
            ...errors({ 400: 'Bad request' }),
          },
        },
      },
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Organization: toSchema(organizationSchema),
        Registration: registrationSchema(),
        ...Object.fromEntries(
          Object.entries(errorSchemas).map(([name, schema]) => [name, toSchema(schema)]),
        ),
      },
    },
  };
}

/** Responds to a request for the document, which needs no API key. */
export function respondWithOpenApi(method: string): SandboxResponse {
  if (method !== 'GET') return problem(405, 'This path supports only GET.', { Allow: 'GET' });
  return jsonResponse(200, JSON.stringify(describeService()));
}
