/*
 * Complete HTTP responses that the specification does not define, and specified errors of another
 * operation.
 */
import { httpResponse } from '../support/raw-server.ts';
import { answer, type Case, error, type Misbehavior, mute, patience } from './misbehaviors.ts';

const json = (status: string, body: unknown) => answer(JSON.stringify(body), status);
const page = '<!DOCTYPE html><title>Blocked</title>';
const notInForm = (status: number) => ({
  says: `responded ${status}, but not in the format of the service`,
  ...mute,
});
const noRecord = { says: 'with JSON that holds no organization record', ...mute };
const nothingServed = {
  says: 'responded 404, but not in the format of the service: there is nothing at this path; check the base URL',
  ...mute,
};
const unpaid = {
  says: 'The account does not permit this request',
  patience: patience.none,
  exit: 4,
  login: 'not checked',
} as const;
const keyRefused = {
  says: 'The service rejected the API key: 401',
  patience: patience.none,
  exit: 4,
};

const asError = { says: 'responded 200 with an error as its body: Away' };

/* The specified 404 contains the requested id. */
const unknownId: Misbehavior = () => (socket, request) => {
  const id = /^GET \S*\/(\d+) /.exec(request)?.[1] ?? '1';
  const body = { status: 404, title: 'Not Found', detail: 'None.', id };
  socket.write(httpResponse(JSON.stringify(body), { status: '404 Not Found' }));
};

const noRecords: Readonly<Record<string, unknown>> = {
  'an empty object': {},
  'a message': { message: 'down for maintenance' },
  'an error': { error: 'quota exceeded' },
  'an id of null': { id: null },
  'a health check': { status: 'ok' },
  'an error with a title and an id': { id: 7, status: 503, title: 'Away' },
};

const notFounds: Readonly<Record<string, unknown>> = {
  FastAPI: { detail: 'Not Found' },
  Spring: { timestamp: '2026-01-15T09:30:00Z', status: 404, error: 'Not Found', path: '/v1/v1' },
  Prism: {
    type: 'https://stoplight.io/prism/errors#NO_PATH_MATCHED_ERROR',
    title: 'Route not resolved',
    status: 404,
    detail: 'The route was not found.',
  },
  Express: { message: 'Cannot GET /v1/v1' },
  'an empty object': {},
};

const undefinedStatuses = {
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  418: 'Teapot',
  421: 'Misdirected Request',
  425: 'Too Early',
  431: 'Large Headers',
  451: 'Unavailable For Legal Reasons',
};

/** All such responses, by description. */
export const otherForms: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(
    Object.entries(noRecords).map(([name, body]) => {
      const isError = name.startsWith('an error with');
      return [
        `200 with ${name}`,
        { answer: json('200 OK', body), ...noRecord, ...(isError && asError) },
      ];
    }),
  ),
  '201 with an empty object': { answer: json('201 Created', {}), ...noRecord },
  '202 with a message': { answer: json('202 Accepted', { message: 'queued' }), ...noRecord },
  '204': {
    answer: answer('', '204 No Content'),
    says: 'responded 204 with an empty body',
    ...mute,
  },
  '300 without Location': { answer: answer('', '300 Multiple Choices'), ...notInForm(300) },
  '304': {
    answer: answer('', '304 Not Modified', 'Location: https://else.example/'),
    ...notInForm(304),
  },
  '400 of HTML': { answer: answer(page, '400 Bad Request'), ...notInForm(400) },
  '401 of HTML': { answer: answer(page, '401 Unauthorized'), ...keyRefused },
  '401 without a body': { answer: answer('', '401 Unauthorized'), ...keyRefused },
  '402': { answer: error(402, 'Payment Required'), ...unpaid },
  '402 of HTML': { answer: answer(page, '402 Payment Required'), ...unpaid },
  '403 of a firewall': { answer: answer(page, '403 Forbidden'), ...notInForm(403) },
  '403 with a message': {
    answer: json('403 Forbidden', { message: 'Forbidden' }),
    ...notInForm(403),
  },
  ...Object.fromEntries(
    Object.entries(notFounds).map(([name, body]) => [
      `404 of ${name}`,
      { answer: json('404 Not Found', body), ...nothingServed },
    ]),
  ),
  '404 of HTML': { answer: answer(page, '404 Not Found'), ...nothingServed },
  '404 with title and detail': { answer: error(404, 'Not Found'), ...nothingServed },
  '404 of retrieval': {
    answer: unknownId,
    says: 'No organization has id',
    patience: patience.none,
    exit: 5,
    login: 'checked',
    posted: nothingServed,
  },
  '404 of registration': {
    answer: json('404 Not Found', { status: 404, detail: 'None.' }),
    ...nothingServed,
    posted: {
      says: 'The service did not find Acme',
      patience: patience.none,
      exit: 5,
      batch: 9,
    },
  },
  ...Object.fromEntries(
    Object.entries(undefinedStatuses).map(([status, title]) => [
      status,
      { answer: error(Number(status), title), ...notInForm(Number(status)) },
    ]),
  ),
  '413 of HTML': { answer: answer(page, '413 Content Too Large'), ...notInForm(413) },
  '422 of FastAPI': {
    answer: json('422 Unprocessable', { detail: [{ loc: ['body', 'name'], msg: 'too long' }] }),
    ...notInForm(422),
  },
  '422 with the status 500 in its body': {
    answer: json('422 No', { status: 500, title: 'No', detail: 'No.' }),
    ...notInForm(422),
  },
};
