import type { Command } from 'commander';
import type { ServiceClient } from '../../../api/client.ts';
import type { Method } from '../../../api/request.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import type { Run, Session } from '../../session.ts';
import { readEndpoint } from './endpoint.ts';
import {
  addQuery,
  collectFields,
  type GivenField,
  readFields,
  readInput,
  renderBody,
} from './fields.ts';
import { findNextPage } from './next-page.ts';
import { PageTracker } from './page-tracker.ts';
import { printBody, printHead } from './print-response.ts';
import { type ApiRequest, sendRequest } from './send-request.ts';

interface ApiOptions {
  readonly rawField?: readonly GivenField[];
  readonly field?: readonly GivenField[];
  readonly input?: string;
  readonly paginate?: boolean;
  readonly include?: boolean;
}

const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const howItWorks = `
The path is relative to the base URL: organizations/12. The API key goes only to
paths below the base URL. A URL is valid if it is below the base URL.

The method is GET, or POST with -f, -F or --input. With GET and HEAD, the fields
become query parameters; with other methods, a JSON object.

A pipe gets the body of the response byte for byte, also that of an error. A
terminal gets JSON indented and other text without control characters. --json
prints errors as JSON on standard error; it does not change the body.

carbon retries GET, HEAD, PUT, DELETE and POST /organizations. It sends any
other request once.

Exit codes: 0 for 2xx, 3 for 400 and 422, 4 for 401, 402 and 403, 5 for 404, 6
for any other status and for a request without a response.`;

/** Declares `carbon api`: flags and help. The work is in `api`. */
export function addApi(program: Command, run: Run): Command {
  return program
    .command('api')
    .usage('[options] [method] <path>')
    .description('Send any request to the service and print the response')
    .argument('<path...>', 'optional method, and path below the base URL, such as organizations/12')
    .option('-f, --raw-field <key=value>', 'add a string (repeatable)', collectFields('-f'))
    .option(
      '-F, --field <key=json>',
      'add a JSON value, or @file for the text of a file, @- for standard input (repeatable)',
      collectFields('-F'),
    )
    .option('--input <file>', 'send this file of JSON as the body, or - for standard input')
    .option('--paginate', 'request all pages of a list (Link headers, RFC 8288)')
    .option('-i, --include', 'print the status line and the headers before the body')
    .addHelpText('after', howItWorks)
    .action((words: string[], options: ApiOptions, command: Command) =>
      run(command, ['human', 'json'], (session) => api(session, words, options)),
    );
}

async function api(
  session: Session,
  words: readonly string[],
  options: ApiOptions,
): Promise<number> {
  const { method, path } = readWords(words, options);
  checkOptions(method, options);
  checkPath(session, path);
  const { rawField = [], field = [], input } = options;
  const fields = await readFields([...rawField, ...field], session.context);
  const hasQuery = method === 'GET' || method === 'HEAD';
  const given = input === undefined ? undefined : await readInput(input, session.context);
  const body = given ?? (hasQuery || fields.length === 0 ? null : renderBody(fields));
  const { client } = await session.connect();
  const endpoint = readEndpoint(path, client.baseUrl);
  const target = hasQuery ? addQuery(endpoint, fields) : endpoint;
  if (method === 'POST' && /^\/organizations\/?(\?|$)/.test(target)) {
    session.messages.warn(
      'carbon api sends this registration unchecked. carbon register also checks the country and the identifiers.',
    );
  }
  // Registration is idempotent (section 1 of the specification).
  const isRepeatable =
    !['POST', 'PATCH'].includes(method) || (method === 'POST' && target === '/organizations');
  await requestPages(session, client, { method, body, isRepeatable }, target, options);
  return 0;
}

/* Refuses an invalid path before the key is read, which may run a command. */
function checkPath(session: Session, path: string): void {
  session.checkAccess();
  const isAbsolute = path.includes('://');
  // The address of the sandbox is not known yet.
  if (isAbsolute && session.flags.sandbox) return;
  const baseUrl = isAbsolute ? session.settings().baseUrl?.value : undefined;
  readEndpoint(path, baseUrl?.replace(/\/+$/, '') ?? 'https://service.invalid');
}

function readWords(
  words: readonly string[],
  { rawField, field, input }: ApiOptions,
): { method: Method; path: string } {
  const [first = '', second, extra] = words;
  if (extra !== undefined) {
    throw new UsageError(
      `Unexpected argument "${extra}"`,
      'Give at most a method and a path, and quote a path with spaces.',
    );
  }
  const method = methods.find((name) => name === first.toUpperCase());
  if (second === undefined) {
    if (method !== undefined)
      throw new UsageError(`The path is missing after ${first}`, `Run carbon api ${first} <path>.`);
    const hasBody = rawField !== undefined || field !== undefined || input !== undefined;
    return { method: hasBody ? 'POST' : 'GET', path: first };
  }
  if (method !== undefined) return { method, path: second };
  throw new UsageError(`"${first}" is not a method`, `Use one of ${methods.join(', ')}.`);
}

function checkOptions(
  method: Method,
  { rawField, field, input, paginate, include }: ApiOptions,
): void {
  const hasFields = rawField !== undefined || field !== undefined;
  if (input !== undefined && hasFields)
    throw new UsageError('--input cannot be combined with -f or -F');
  if (input !== undefined && (method === 'GET' || method === 'HEAD'))
    throw new UsageError(`--input does not apply to ${method}, which has no body`);
  if (paginate && method !== 'GET')
    throw new UsageError(
      `--paginate does not apply to ${method}`,
      'Name the method GET if the fields are query parameters: carbon api GET <path> -f key=value.',
    );
  if (method === 'HEAD' && !include)
    throw new UsageError('HEAD has no body to print', 'Add -i to print the headers.');
}

async function requestPages(
  session: Session,
  client: ServiceClient,
  request: Omit<ApiRequest, 'path'>,
  first: string,
  { paginate = false, include = false }: ApiOptions,
): Promise<void> {
  const pages = new PageTracker(client.baseUrl);
  let isLineComplete = true;
  for (let path: string | undefined = first; path !== undefined; ) {
    pages.visit(path);
    const { response, redact, error } = await sendRequest(session, client, { ...request, path });
    if (!isLineComplete) session.print('\n');
    if (include) await printHead(session, response, redact);
    isLineComplete = printBody(session, response);
    if (error !== undefined) throw error;
    const next = findNextPage(response);
    if (next !== undefined && !paginate)
      session.messages.hint('The list has more pages. Add --paginate to request all.');
    await session.context.stdout.drained;
    path = paginate && next !== undefined ? pages.resolve(next, path) : undefined;
  }
}
