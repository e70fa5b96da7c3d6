/*
 * Sends every class of response, by status and body, to each command and then runs the batch again
 * with a healthy service. `npm run replay` prints a table of the results.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { httpResponse, type RawReply, serveRaw } from '../support/raw-server.ts';
import { newFolder, run } from '../support/run.ts';

const json = (value: unknown) => JSON.stringify(value);
const page = '<!doctype html><title>Blocked</title>';
const specified = (status: number) => json({ status, title: 'A title', detail: 'A detail.' });
const specified404 = {
  get: json({ status: 404, title: 'Organization Not found', detail: 'No such id.', id: '1' }),
  post: json({ status: 404, detail: 'No such organization.' }),
};

const bodies200 = {
  'an empty object': '{}',
  'a message': json({ message: 'down for maintenance' }),
  'an error': json({ error: 'quota exceeded' }),
  'a null id': json({ id: null }),
  'an id above 2^53': '{"id":9007199254740993,"name":"Acme 3"}',
  'an empty id': json({ id: '', name: 'Acme 3' }),
  'a name without id': json({ name: 'Acme 3', score: 0.5 }),
  'a web page': page,
  'an error body': specified(500),
  'an error beside an id': json({ id: 12, status: 429, message: 'slow down' }),
  'a number as the status': json({ id: 12, name: 'Acme 3', status: 500 }),
};

const bodies404 = {
  'the retrieval form': specified404.get,
  'the registration form': specified404.post,
  FastAPI: json({ detail: 'Not Found' }),
  Spring: json({
    timestamp: '2026-01-15',
    status: 404,
    error: 'Not Found',
    path: '/v1/organizations',
  }),
  Prism: json({
    type: 'https://stoplight.io/prism/errors#NO_PATH_MATCHED_ERROR',
    title: 'Route not resolved',
    status: 404,
    detail: 'The route was not found',
  }),
  'a web page': page,
};

const others = [
  201, 204, 300, 304, 400, 401, 402, 403, 405, 406, 408, 409, 410, 413, 415, 418, 422, 425, 429,
  451, 500, 502, 503, 504,
];

interface Response {
  readonly status: number;
  readonly form: string;
  readonly body: string;
  readonly headers?: readonly string[];
}

const responses: readonly Response[] = [
  ...Object.entries(bodies200).map(([form, body]) => ({ status: 200, form, body })),
  ...Object.entries(bodies404).map(([form, body]) => ({ status: 404, form, body })),
  ...others.flatMap((status) => [
    { status, form: 'the specified form', body: specified(status) },
    { status, form: 'a web page', body: page },
  ]),
  { status: 503, form: 'Retry-After: 1', body: specified(503), headers: ['Retry-After: 1'] },
  { status: 500, form: 'Retry-After: 0', body: specified(500), headers: ['Retry-After: 0'] },
];

const key = 'canary-key-4711';
const names = ['Acme 1', 'Acme 2', 'Acme 3', 'Acme 4', 'Acme 5'];

/* Creates a service that registers every name once and has completed all research. */
function healthy(): { reply: RawReply; ids: Map<string, number> } {
  const ids = new Map<string, number>();
  const reply: RawReply = (socket, request) => {
    const body = request.slice(request.indexOf('\r\n\r\n') + 4);
    const name: string = body === '' ? 'Acme 1' : JSON.parse(body).name;
    const id = ids.get(name) ?? ids.size + 1;
    ids.set(name, id);
    socket.write(httpResponse(json({ id, name, status: 'synced' })));
  };
  return { reply, ids };
}

function reportOf(exit: number, stdout: string, stderr: string): string {
  const error = /^Error: (.*)$/m.exec(stderr)?.[1];
  const warning = /^Warning: (.*)$/m.exec(stderr)?.[1];
  const text = error ?? warning ?? stdout.trim().split('\n')[0] ?? '';
  return `${exit}: ${text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'URL').slice(0, 110)}`;
}

async function replay({ status, form, body, headers = [] }: Response) {
  const bad = httpResponse(body, { status: `${status} Status`, headers });
  const server = await serveRaw((socket) => void socket.write(bad));
  const env = { CARBON_BASE_URL: server.url, CARBON_API_KEY: key };
  const single = async (...argv: string[]) => {
    const { exit, stdout, stderr } = await run(argv, { env });
    expect(stdout + stderr).not.toContain(key);
    return reportOf(exit, stdout, stderr);
  };
  const get = await single('get', '1');
  const register = await single('register', '--name', 'Acme 3');
  const watch = await single('watch', '1', '--timeout', '5m');
  const login = await run(['login', '--base-url', server.url, '--with-token'], {
    stdin: `${key}\n`,
  });
  const service = healthy();
  server.become((socket, request) => {
    if (request.includes('Acme 3')) socket.write(bad);
    else service.reply(socket, request);
  });
  const home = newFolder();
  const path = join(home, 'suppliers.csv');
  writeFileSync(path, `name\n${names.join('\n')}\n`);
  const first = await run(['batch', path], { env, home });
  const registered = service.ids.size;
  server.become(service.reply);
  const second = await run(['batch', path], { env, home });
  const rerun = `${second.exit}: ${service.ids.size - registered} sent`;
  return {
    response: `${status}, ${form}`,
    get,
    register,
    watch,
    login: reportOf(login.exit, login.stdout, login.stderr),
    batch: `${reportOf(first.exit, '', first.stderr)} (${registered} registered)`,
    rerun,
  };
}

/** The exit code of each command for a form of the specification (section 7). */
function expected({ status, form }: Response) {
  const isSpecified = form === 'the specified form';
  const isRecord = status === 200 && bodiesOfRecords.includes(form);
  const isRefused = isSpecified && (status === 400 || status === 422);
  const isUnknown = status === 404 && form === 'the registration form';
  const isAccount = status === 401 || status === 402;
  const isDenied = status === 403 && isSpecified;
  const single = isRecord ? 0 : isRefused ? 3 : isAccount || isDenied ? 4 : 6;
  return {
    get: status === 404 && form === 'the retrieval form' ? 5 : single,
    register: isUnknown ? 5 : single,
    login: status === 401 || isDenied ? 'refused' : 'could not be checked',
    batch: isRefused || isUnknown ? 9 : isAccount ? 4 : 6,
    rerun: isRefused || isUnknown ? '9: 0 sent' : '0: 1 sent',
  };
}

/* Records without an id that a batch could store. */
const bodiesOfRecords = [
  'an id above 2^53',
  'an empty id',
  'a name without id',
  'a number as the status',
];

function loginOf(report: string): string {
  if (report.startsWith('4: ')) return 'refused';
  return report.includes('could not check it') ? 'could not be checked' : 'logged in';
}

const rows: Record<string, string>[] = [];

/* Common statuses, and statuses with special rules. */
const frequent = new Set([200, 400, 401, 404, 429, 503]);

describe.each([
  { tags: [], some: responses.filter(({ status }) => frequent.has(status)) },
  { tags: ['long'], some: responses.filter(({ status }) => !frequent.has(status)) },
])('every class of response', ({ tags, some }) => {
  it.each(some)(
    'commands exit as specified and lose no row when the response is $status with $form',
    { tags },
    async (response) => {
      const row = await replay(response);
      rows.push(row);
      const { get, register, login, batch, rerun } = row;
      expect({
        get: Number.parseInt(get, 10),
        register: Number.parseInt(register, 10),
        login: loginOf(login),
        batch: Number.parseInt(batch, 10),
        rerun,
      }).toEqual(expected(response));
    },
  );
});

afterAll(() => {
  if (process.env['CARBON_REPLAY'] === undefined) return;
  const columns = Object.keys(rows[0] ?? {});
  const lines = [
    columns,
    columns.map(() => '---'),
    ...rows.map((row) => columns.map((name) => row[name] ?? '')),
  ];
  process.stdout.write(`${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`);
});
