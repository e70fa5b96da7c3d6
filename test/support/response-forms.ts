/*
 * Complete HTTP responses, by description, with what they mean for a retrieval of organization 12
 * and for a registration: a record, or the code of an error.
 */
import type { CarbonErrorCode } from '../../src/runtime/carbon-error.ts';

/** A response and its meaning. */
export interface ResponseForm {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly get: CarbonErrorCode | 'record';
  readonly post: CarbonErrorCode | 'record';
}

type Meaning = ResponseForm['get'];

const form = (
  status: number,
  body: unknown,
  get: Meaning = 'unreadable_response',
  post: Meaning = get,
): ResponseForm => ({
  status,
  body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  get,
  post,
});

const page = '<!DOCTYPE html><title>Blocked</title>';
const error = (status: number, more: object = {}) => ({
  status,
  title: 'A title',
  detail: 'A detail.',
  ...more,
});
const named = (prefix: string, bodies: Readonly<Record<string, unknown>>, status: number) =>
  Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [`${prefix} ${name}`, form(status, body)]),
  );

/* The record of a retrieval that no registration can use. */
const onlyGet = (status: number, body: object) =>
  form(status, { id: 12, name: 'Acme AG', ...body }, 'record', 'unreadable_response');
const ids = (prefix: string, given: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(given).map(([name, id]) => [`${prefix} ${name}`, onlyGet(200, { id })]),
  );

/** All forms of a response. */
export const responseForms: Readonly<Record<string, ResponseForm>> = {
  'a record': form(200, { id: 12, name: 'Acme AG' }, 'record'),
  'a record with the id 0': form(200, { id: 0, name: 'Acme AG' }, 'record'),
  'a record with the greatest id': form(200, { id: 2 ** 53 - 1 }, 'record'),
  'a record with text as its id': form(200, { id: '00000000000000000012' }, 'record'),
  'a record with a byte order mark': form(200, '\ufeff{"id":12}', 'record'),
  'a record with an error status as text': form(200, { id: 12, status: '404' }, 'record'),
  'a record with 100 levels': form(
    200,
    `{"id":12,"un":${'['.repeat(100)}${']'.repeat(100)}}`,
    'record',
  ),
  // Ids that people may see in a record, but that no later request can use.
  ...ids('a record with', {
    'no id': undefined,
    'an empty id': '',
    'an id of white space': ' 7',
    'an id of letters': 'acme',
    'an id of 21 digits': '1'.repeat(21),
    'a negative id': -7,
    'a fraction as its id': 7.5,
    'an object as its id': { value: 7 },
    'an id above 2^53': 2 ** 53,
  }),
  '201 with a record': onlyGet(201, {}),
  '206 with a record': onlyGet(206, {}),
  ...named(
    '200 with',
    {
      'an empty body': '',
      null: null,
      'a list': [1],
      'a number': 3,
      'half a record': '{"id": 1',
      'plain text': 'ok',
      'a web page': page,
      'no UTF-8': Buffer.from([0x7b, 0xff, 0x7d]),
      'an empty object': {},
      'a message': { message: 'down for maintenance' },
      'an error': { error: 'quota exceeded' },
      'an id of null': { id: null },
      'a status alone': { status: 'ok' },
      'members of null': { id: null, name: null, industry: null, status: 'created' },
      'a record with a number as its status': { id: 12, status: 500 },
      'the body of an error': error(500),
      'the body of an error with an id': error(500, { id: 12 }),
      'an error with a title and an id': { status: 503, title: 'Away', id: 7 },
    },
    200,
  ),
  '202 with a message': form(202, { message: 'queued' }),
  '204 without a body': form(204, ''),
  '302 to another address': {
    ...form(302, ''),
    headers: { location: 'https://else.example/v1' },
  },
  '304': form(304, ''),
  '400': form(400, error(400), 'rejected'),
  '400 of HTML': form(400, page),
  '401': form(401, error(401), 'unauthorized'),
  '401 of HTML': form(401, page, 'unauthorized'),
  '402': form(402, error(402), 'payment_required'),
  '402 of HTML': form(402, page, 'payment_required'),
  '403': form(403, error(403), 'unauthorized'),
  '403 of HTML': form(403, page),
  '403 with a message': form(403, { message: 'Forbidden' }),
  '404 of retrieval': form(404, error(404, { id: '12' }), 'not_found', 'unreadable_response'),
  ...named(
    '404 of retrieval with the id',
    Object.fromEntries(
      ['13', '120', '012x', ''].map((id) => [JSON.stringify(id), error(404, { id })]),
    ),
    404,
  ),
  '404 of registration': form(
    404,
    { status: 404, detail: 'None.' },
    'unreadable_response',
    'not_found',
  ),
  ...named(
    '404 of',
    {
      'registration, its status as text': { status: '404', detail: 'None.' },
      'retrieval without status': { title: 'No', detail: 'No.', id: '12' },
      'an error without id': error(404),
      FastAPI: { detail: 'Not Found' },
      Spring: { timestamp: '2026', status: 404, error: 'Not Found', path: '/v1/v1' },
      Prism: { type: 'https://x/#NO_PATH', title: 'Not resolved', status: 404, detail: 'No.' },
      Express: { message: 'Cannot GET /v1/v1' },
      HTML: page,
    },
    404,
  ),
  '405': form(405, error(405)),
  '409': form(409, error(409)),
  '422': form(422, error(422, { more: 1 }), 'rejected'),
  '422 of FastAPI': form(422, { detail: [{ loc: ['body'], msg: 'x' }] }),
  '422 without a title': form(422, { status: 422, detail: 'No.' }),
  ...named(
    '422 with the status',
    Object.fromEntries(
      [undefined, null, '422', 500, true].map((status) => [
        String(JSON.stringify(status)),
        error(422, { status }),
      ]),
    ),
    422,
  ),
  '429': form(429, error(429), 'rate_limited'),
  '429 of HTML': form(429, page, 'rate_limited'),
  '500': form(500, error(500), 'service_failed'),
  '500 of HTML': form(500, page, 'service_failed'),
  '503': form(503, error(503), 'service_failed'),
  '599': form(599, error(599), 'service_failed'),
};
