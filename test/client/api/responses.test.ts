import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../src/client/api/failures.ts';
import {
  canBeRecord,
  isSuccess,
  type ReadResponse,
  readRegistration as readRecordOfRegistration,
  readResponse as readRecordOfResponse,
  readRetryAfter,
} from '../../../src/client/api/responses.ts';
import { organizationSchema } from '../../../src/client/api/schema.ts';
import { CarbonError } from '../../../src/runtime/carbon-error.ts';
import { type ResponseForm, responseForms } from '../../support/response-forms.ts';

const baseUrl = 'https://api.example';
const redact = (text: string) => text.replaceAll('key-1', '[key]');
const retrieval = { subject: 'organization 12', id: '12', baseUrl, redact };
const registration = { subject: 'Acme AG', baseUrl, redact };

const respond = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) => ({
  status,
  headers,
  body: Buffer.from(
    typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  ),
});

/* Reads any response, as the client does. */
const anyResponse =
  <Result>(read: ReadResponse<Result>): ReadResponse<Result> =>
  (response, info, now) => {
    if (!isSuccess(response)) throw readFailure(response, info, now);
    return read(response, info, now);
  };
const readResponse = anyResponse(readRecordOfResponse);
const readRegistration = anyResponse(readRecordOfRegistration);

function failureOf(work: () => unknown): CarbonError {
  try {
    work();
  } catch (error) {
    if (error instanceof CarbonError) return error;
    throw error;
  }
  throw new Error('expected a CarbonError');
}

function meaning(read: ReadResponse<unknown>, form: ResponseForm, info: typeof registration) {
  try {
    read(respond(form.status, form.body, form.headers), info, 0);
    return 'record';
  } catch (error) {
    if (error instanceof CarbonError) return error.code;
    throw error;
  }
}

describe('readResponse and readRegistration', () => {
  it.each(Object.entries(responseForms))('give a response its meaning: %s', (_, form) => {
    expect({
      get: meaning(readResponse, form, retrieval),
      post: meaning(readRegistration, form, registration),
    }).toEqual({ get: form.get, post: form.post });
  });

  it('keep the rate limit of a record', () => {
    const headers = { 'x-ratelimit-remaining': '4', 'x-ratelimit-reset': '3' };
    expect(readRegistration(respond(200, { id: 1 }, headers), registration, 0)).toMatchObject({
      limit: { remaining: 4, resetMs: 3_000 },
    });
  });

  it('accept a record with any one member of section 2.1 but status', () => {
    const members = Object.keys(organizationSchema.shape);
    expect(members.filter((name) => !canBeRecord({ [name]: 1, status: 'created' }))).toEqual([
      'status',
    ]);
  });

  it('return a usable id or throw a CarbonError for any JSON', { tags: ['property'] }, () => {
    const member = fc.tuple(
      fc.constantFrom('id', 'status', 'name', 'title', 'detail', 'un', 'message', '__proto__'),
      fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(null, '', '7', 7, -7, 404, 2 ** 53)),
    );
    const status = fc.constantFrom(200, 201, 204, 404, 422);
    fc.assert(
      fc.property(fc.array(member, { maxLength: 6 }), status, (members, code) => {
        const texts = members.map((pair) => pair.map((part) => JSON.stringify(part)).join(':'));
        try {
          const { id } = readRegistration(respond(code, `{${texts.join()}}`), registration, 0);
          expect([code, String(id)]).toEqual([200, expect.stringMatching(/^\d{1,20}$/)]);
        } catch (error) {
          if (!(error instanceof CarbonError)) throw error;
        }
      }),
    );
  });
});

describe('the error of a response', () => {
  it.each(['200 with a message', '302 to another address', '403 of HTML', '404 of FastAPI', '409'])(
    'keeps Retry-After and the rate limit: %s',
    (name) => {
      const { status, body, headers } = responseForms[name] as ResponseForm;
      const limits = { 'retry-after': '7', ratelimit: '"default";r=0;t=3' };
      const response = respond(status, body, { ...headers, ...limits });
      expect(failureOf(() => readResponse(response, retrieval, 0))).toMatchObject({
        code: 'unreadable_response',
        retryAfterMs: 7_000,
        rateLimit: { remaining: 0, resetMs: 3_000 },
      });
    },
  );

  it.each<[status: number, body: unknown, message: string | RegExp]>([
    [200, '<!DOCTYPE html>', 'responded 200 with a web page instead of JSON'],
    [200, '', 'responded 200 with an empty body'],
    [200, '[]', 'with JSON that is not an organization record'],
    [200, '{"id": 1', 'with truncated or invalid JSON'],
    [200, Buffer.from('{"id":1,"name":"\xe9"}', 'latin1'), 'with bytes that are not UTF-8 text'],
    [200, gzipSync('{"id":12}'), 'with a compressed body (gzip or similar), which carbon did not'],
    [422, gzipSync('{"status":422}'), 'responded 422 with a compressed body (gzip or similar)'],
    [200, { id: 12, status: 0, error: 'denied' }, 'with an error in its body'],
    [200, { message: 'busy' }, 'JSON that is not an organization record'],
    [
      302,
      '',
      'https://api.example redirects to https://else.example/?[key] (302); carbon does not',
    ],
    [402, '', 'The account does not allow this request (402)'],
    [404, { detail: 'Not Found' }, '(response text: Not Found)'],
    [422, { status: 422, title: 'No', detail: 'x: key-1' }, '(422 No): x: [key]'],
    [422, { status: 422, title: 'No', detail: 'Nowhere.' }, '(422 No): Nowhere'],
    [422, { status: 422, title: 'Bad LEI', detail: 'Bad LEI: 12.' }, /12 \(422\): Bad LEI: 12$/],
    [422, { status: 422, title: 'Bad LEI: 12', detail: 'bad lei.' }, /\(422 Bad LEI: 12\)$/],
    [422, { status: 422, title: 'Bad LEI', detail: 'Bad LEI.' }, /\(422\): Bad LEI$/],
    [429, '', 'Too many requests (429)'],
    [429, { status: 429, title: 'Too Many Requests' }, /requests \(429\)$/],
    [429, { status: 429, title: 'Too many organizations' }, /^Too many organizations \(429\)$/],
    [429, { status: 429, title: 'No', detail: 'Quota of 3.' }, 'Too many requests (429): Quota of'],
    [429, { status: 429, title: 'Plan limit.' }, 'Too many requests (429): Plan limit'],
    [429, { message: 'Limit Exceeded' }, 'Too many requests (429): Limit Exceeded'],
    [429, 'Slow down, key-1', 'Too many requests (429): Slow down, [key]'],
    [429, '<html>429</html>', /requests \(429\)$/],
    [503, { status: 503, title: 'Away', detail: 'Later.' }, 'failed (503 Away): Later'],
  ])('describes %d %j', (status, body, message) => {
    const headers = status === 302 ? { location: 'https://else.example/?key-1' } : undefined;
    const error = failureOf(() => readResponse(respond(status, body, headers), retrieval, 0));
    if (typeof message === 'string') expect(error.message).toContain(message);
    else expect(error.message).toMatch(message);
  });

  it('names the organization that was not found', () => {
    const { body } = responseForms['404 of retrieval'] as ResponseForm;
    expect(failureOf(() => readResponse(respond(404, body), retrieval, 0))).toMatchObject({
      id: '12',
      message: 'No organization has ID 12',
    });
    const none = respond(404, { status: 404, detail: 'No such organization.' });
    expect(failureOf(() => readRegistration(none, registration, 0))).toMatchObject({
      detail: 'No such organization.',
      message: 'The service did not find Acme AG (404): No such organization',
    });
  });
});

describe('readRetryAfter', () => {
  const now = Date.UTC(2026, 0, 15, 9, 30);

  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Thu, 15 Jan 2026 09:30:30 GMT', 30_000],
    ['Thursday, 15-Jan-26 09:30:30 GMT', 30_000],
    ['Thu, 15 Jan 2026 09:00:00 GMT', 0],
  ])('parses %j as %d ms', (value, ms) => {
    expect(readRetryAfter(value, now)).toBe(ms);
  });

  it.each([undefined, '', '-1', '1.5', 'Xyz, 99 Foo 2026'])('ignores %j', (value) => {
    expect(readRetryAfter(value, now)).toBeUndefined();
  });
});
