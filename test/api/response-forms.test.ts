import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ServiceClient } from '../../src/api/client.ts';
import { canBeRecord, usableId } from '../../src/api/ids.ts';
import { ReceivedRecord, readReceived } from '../../src/api/received-record.ts';
import { readIdentified, readReceipt } from '../../src/api/registration-receipt.ts';
import { readResponse } from '../../src/api/responses.ts';
import { singleAttempt } from '../../src/api/retry.ts';
import { organizationSchema } from '../../src/api/schema.ts';
import { exitCodeOf } from '../../src/cli/errors.ts';
import { CarbonError } from '../../src/runtime/carbon-error.ts';
import { VirtualClock } from '../support/clock.ts';
import { type Reply, serve } from '../support/server.ts';
import { openHeld } from '../support/transport.ts';

const page = '<!DOCTYPE html><title>Blocked</title>';
const full = (status: number) => ({ status, title: 'A title', detail: 'A detail.' });

/* What each operation makes of a response: the record's id, or the error's code and exit code. */
async function read(reply: Reply): Promise<{ get: unknown; register: unknown; batch: unknown }> {
  const clock = new VirtualClock();
  const { url } = await serve(reply);
  const client = new ServiceClient({
    baseUrl: url,
    apiKey: 'key-1',
    clock,
    openTransport: openHeld(clock),
    retries: singleAttempt,
  });
  onTestFinished(() => client.close());
  const acme = { name: 'Acme AG' };
  const head = await outcome(client.registerAs(readReceipt, acme));
  expect(await outcome(client.registerAs(readIdentified, acme))).toEqual(head);
  const get = await outcome(client.retrieve(12).then(({ record }) => record));
  expect(await outcome(client.retrieveAs(readReceived, 12).then(({ record }) => record))).toEqual(
    get,
  );
  return {
    get,
    register: await outcome(client.register(acme).then(({ record }) => record)),
    batch: head,
  };
}

async function outcome(work: Promise<{ readonly id?: unknown }>): Promise<unknown> {
  try {
    const { id } = await work;
    return { id };
  } catch (error) {
    if (!(error instanceof CarbonError)) throw error;
    return `${error.code} ${exitCodeOf(error)}`;
  }
}

const unreadable = 'unreadable_answer 6';
const refused = 'refused 3';
const unauthorized = 'unauthorized 4';
const notFound = 'not_found 5';
const all = (what: unknown) => ({ get: what, register: what, batch: what });

describe('a 2xx response', () => {
  it.each<[string, unknown]>([
    ['an empty object', {}],
    ['a message', { message: 'down for maintenance' }],
    ['an error', { error: 'quota exceeded' }],
    ['an id of null', { id: null }],
    ['a status alone', { status: 'ok' }],
    ['members of null', { id: null, name: null, industry: null, status: 'created' }],
    ['an error with a title only', { status: 503, title: 'Away', id: 7 }],
  ])('is no record with %s', async (_, json) => {
    expect(await read({ json })).toEqual(all(unreadable));
  });

  it.each(['404', '422', '500'])('is an error with the status "%s" as text', async (status) => {
    const head = { id: '5', status };
    expect(await read({ json: { ...head, title: 'A title', detail: 'A detail.' } })).toEqual(
      all(unreadable),
    );
    expect(await read({ json: { ...head, detail: 'A detail.' } })).toEqual(all(unreadable));
    expect(await read({ json: { ...head, name: 'Acme AG' } })).toEqual(all({ id: '5' }));
  });

  it.each(['1.00000000000000001', '7.0', '7e0', '-0', '0.0000000000000000000000001e25'])(
    'is no registration of a batch with the id %s, which is not written as a whole number',
    async (id) => {
      expect((await read({ text: `{"id":${id},"name":"Acme AG"}` })).batch).toBe(unreadable);
    },
  );

  it.each<[string, unknown]>([
    ['no id', undefined],
    ['an id of null', null],
    ['an empty id', ''],
    ['an id of white space', ' 7'],
    ['an id of letters', 'acme'],
    ['an id of 21 digits', '1'.repeat(21)],
    ['a negative id', -7],
    ['a fraction as its id', 7.5],
    ['an object as its id', { value: 7 }],
    ['an id above 2^53', 2 ** 53],
  ])('is a record for people and no registration of a batch with %s', async (_, id) => {
    const outcome = await read({ json: { id, name: 'Acme AG', status: 'created' } });
    expect(outcome).toEqual({ get: { id }, register: { id }, batch: unreadable });
  });

  it.each<[string, unknown]>([
    ['0', 0],
    ['the greatest safe integer', 2 ** 53 - 1],
    ['text of digits', '00000000000000000012'],
  ])('is a record with the id %s', async (_, id) => {
    expect(await read({ json: { id, name: 'Acme AG' } })).toEqual(all({ id }));
  });

  it.each([201, 202, 203, 206, 299])(
    'is a record for people only with the status %d',
    async (status) => {
      const outcome = await read({ status, json: { id: 12, name: 'Acme AG' } });
      expect(outcome).toEqual({ ...all({ id: 12 }), batch: unreadable });
    },
  );

  it('is a record with any one member of section 2.1 but status', () => {
    const members = Object.keys(organizationSchema.shape);
    expect(members.filter((name) => !canBeRecord({ [name]: 1, status: 'created' }))).toEqual([
      'status',
    ]);
  });
});

/* Creates responses with the text of any JSON object, which may have the members of an error. */
const responses = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.constantFrom('id', 'status', 'name', 'title', 'detail', 'un', 'message', '__proto__'),
        fc.oneof(
          fc.jsonValue({ maxDepth: 1 }),
          fc.constantFrom(null, '', '7', 'synced', 7, -7, 404, 2 ** 53),
        ),
      ),
      { maxLength: 6 },
    ),
    fc.constantFrom(200, 201, 204, 404, 422),
  )
  .map(([members, status]) => {
    const texts = members.map((member) => member.map((part) => JSON.stringify(part)).join(':'));
    return { status, headers: {}, body: Buffer.from(`{${texts.join()}}`) };
  });
const asked = { subject: 'Acme AG', baseUrl: 'https://api.example' };

function outcomeOf<Result>(work: () => Result): Result | { readonly error: unknown } {
  try {
    return work();
  } catch (error) {
    return { error: error instanceof CarbonError ? error.message : error };
  }
}

it('readReceipt and readIdentified agree on any JSON', { tags: ['property'] }, () => {
  fc.assert(
    fc.property(responses, (response) => {
      const read = (reader: typeof readReceipt) =>
        outcomeOf(() => {
          const { id, status } = reader(response, asked, 0);
          return { id, status };
        });
      const inFull = read(readIdentified);
      expect(read(readReceipt)).toEqual(inFull);
      if (response.status > 299) expect(inFull).toHaveProperty('error');
      else if ('id' in inFull) expect(String(inFull.id)).toMatch(/^\d{1,20}$/);
    }),
  );
});

it('readReceived and readResponse agree on any JSON', { tags: ['property'] }, () => {
  fc.assert(
    fc.property(responses, (response) => {
      const inFull = outcomeOf(() => readResponse(response, asked, 0));
      const received = outcomeOf(() => readReceived(response, asked, 0));
      if (!(received instanceof ReceivedRecord)) {
        expect(received).toEqual(inFull);
        return;
      }
      const { record, json, limit } = received;
      expect({ record, json, limit }).toEqual(inFull);
      expect(received.id).toBe(usableId(record.id));
    }),
  );
});

describe('a response with an error status', () => {
  it.each<[string, Reply, ReturnType<typeof all>]>([
    ['401 of HTML', { status: 401, text: page }, all(unauthorized)],
    ['401 without a body', { status: 401, text: '' }, all(unauthorized)],
    ['402 of HTML', { status: 402, text: page }, all('payment_required 4')],
    ['402 in the form', { status: 402, json: full(402) }, all('payment_required 4')],
    ['403 in the form', { status: 403, json: full(403) }, all(unauthorized)],
    ['403 of HTML', { status: 403, text: page }, all(unreadable)],
    ['403 with a message', { status: 403, json: { message: 'Forbidden' } }, all(unreadable)],
    ['400 in the form', { status: 400, json: full(400) }, all(refused)],
    ['422 in the form', { status: 422, json: { ...full(422), more: 1 } }, all(refused)],
    ['422 without a title', { status: 422, json: { status: 422, detail: 'No.' } }, all(unreadable)],
    [
      '422 with a list',
      { status: 422, json: { detail: [{ loc: ['body'], msg: 'x' }] } },
      all(unreadable),
    ],
    ...[400, 403, 422].flatMap((status) =>
      [undefined, null, `${status}`, status + 1, true].map(
        (bodyStatus): [string, Reply, ReturnType<typeof all>] => [
          `${status} with the status ${JSON.stringify(bodyStatus)} in the body`,
          { status, json: { ...full(status), status: bodyStatus } },
          all(unreadable),
        ],
      ),
    ),
    [
      '404 of retrieval without status',
      { status: 404, json: { title: 'No', detail: 'No.', id: '12' } },
      all(unreadable),
    ],
    [
      '404 of registration, its status as text',
      { status: 404, json: { status: '404', detail: 'No.' } },
      all(unreadable),
    ],
    ['422 with the status 500 in the body', { status: 422, json: full(500) }, all(unreadable)],
    ['400 of HTML', { status: 400, text: page }, all(unreadable)],
    [
      '404 of retrieval',
      { status: 404, json: { ...full(404), id: '12', more: 1 } },
      { ...all(unreadable), get: notFound },
    ],
    [
      '404 of retrieval, a number',
      { status: 404, json: { ...full(404), id: 12 } },
      { ...all(unreadable), get: notFound },
    ],
    [
      '404 of retrieval, with leading zeros',
      { status: 404, json: { ...full(404), id: '0012' } },
      { ...all(unreadable), get: notFound },
    ],
    ...['13', '120', '012x', '9f3c1-trace', '', 1.2].map(
      (id): [string, Reply, ReturnType<typeof all>] => [
        `404 of retrieval with the id ${JSON.stringify(id)}`,
        { status: 404, json: { ...full(404), id } },
        all(unreadable),
      ],
    ),
    [
      '404 of registration',
      { status: 404, json: { status: 404, detail: 'None.' } },
      { ...all(notFound), get: unreadable },
    ],
    [
      '404 without status and title',
      { status: 404, json: { detail: 'Not Found' } },
      all(unreadable),
    ],
    ['404 with title and detail', { status: 404, json: full(404) }, all(unreadable)],
    [
      '404 of Spring',
      { status: 404, json: { timestamp: '2026', status: 404, error: 'Not Found', path: '/v1/v1' } },
      all(unreadable),
    ],
    [
      '404 of Prism',
      {
        status: 404,
        json: {
          type: 'https://x/#NO_PATH',
          title: 'Route not resolved',
          status: 404,
          detail: 'No.',
        },
      },
      all(unreadable),
    ],
    ['404 of HTML', { status: 404, text: page }, all(unreadable)],
    ['404 of an object', { status: 404, json: {} }, all(unreadable)],
    ['429 of HTML', { status: 429, text: page }, all('rate_limited 6')],
    ['500 of HTML', { status: 500, text: page }, all('service_failed 6')],
    ['599', { status: 599, json: full(599) }, all('service_failed 6')],
    ...[300, 304, 405, 406, 408, 409, 410, 413, 415, 418, 421, 425, 431, 451].map(
      (status): [string, Reply, ReturnType<typeof all>] => [
        `${status} in the form`,
        status === 304 ? { status, text: '' } : { status, json: full(status) },
        all(unreadable),
      ],
    ),
  ])('counts only in its form: %s', async (_, reply, expected) => {
    expect(await read(reply)).toEqual(expected);
  });

  it.each<[string, Reply]>([
    ['200 without a record', { json: { message: 'busy' } }],
    ['403 of HTML', { status: 403, text: page }],
    ['404 of a framework', { status: 404, json: { detail: 'Not Found' } }],
    ['409', { status: 409, json: full(409) }],
    ['302', { status: 302, text: '', headers: { location: 'https://else.example/' } }],
  ])('keeps Retry-After and the rate limit: %s', async (_, reply) => {
    const headers = {
      ...('headers' in reply && reply.headers),
      'retry-after': '7',
      ratelimit: 'limit=10, remaining=0, reset=3',
    };
    const { url } = await serve({ ...reply, headers } as Reply);
    const client = new ServiceClient({ baseUrl: url, apiKey: 'key-1', retries: singleAttempt });
    onTestFinished(() => client.close());
    await expect(client.retrieve(12)).rejects.toMatchObject({
      code: 'unreadable_answer',
      retryAfterMs: 7_000,
      rateLimit: { remaining: 0, resetMs: 3_000 },
    });
  });
});

it.each<[string, Reply, string]>([
  [
    '200 without a record',
    { json: { message: 'busy key-1' } },
    'responded 200 with JSON that holds no organization record: busy [key]',
  ],
  [
    'a 404',
    { status: 404, text: '' },
    'responded 404, but not in the format of the service: there is nothing at this path; check the base URL',
  ],
  [
    'a 404 with words',
    { status: 404, json: { detail: 'Not Found' } },
    '(response text: Not Found)',
  ],
  ['a 304', { status: 304, text: '' }, 'responded 304, but not in the format of the service'],
  [
    'a 300 without Location',
    { status: 300, text: '' },
    'responded 300, but not in the format of the service',
  ],
  ['a 402', { status: 402, text: '' }, 'The account does not permit this request: 402'],
])('describes the response in the message: %s', async (_, reply, message) => {
  const { url } = await serve(reply);
  const client = new ServiceClient({ baseUrl: url, apiKey: 'key-1', retries: singleAttempt });
  onTestFinished(() => client.close());
  await expect(client.retrieve(12)).rejects.toThrow(message);
});
