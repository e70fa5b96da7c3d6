/* The page of error codes: the table of the program, and the responses that lead to each code. */
import { failures } from '../../src/cli/errors.ts';
import type { CarbonErrorCode } from '../../src/runtime/carbon-error.ts';
import { code, escapeText, prose, table, writePage } from './markdown.ts';

/* Sections 2.10 and 7 of the specification; any other response is unreadable. */
const responses: readonly (readonly [response: string, code: CarbonErrorCode])[] = [
  ['400 or 422 with `status`, `title` and `detail`', 'rejected'],
  ['401 in any form', 'unauthorized'],
  ['402 in any form', 'payment_required'],
  ['403 with `status`, `title` and `detail`', 'unauthorized'],
  ['404 of a retrieval with `status`, `title`, `detail` and the requested `id`', 'not_found'],
  ['404 of a registration with `status` and `detail`, without `title`', 'not_found'],
  ['429 in any form', 'rate_limited'],
  ['5xx in any form', 'service_failed'],
  [
    'anything else, such as a web page, a redirect, a 404 of a web server, 405 or 413',
    'unreadable_response',
  ],
];

const paragraphs = [
  'A response counts only in these forms, in which `status` is the HTTP status as a number. Any other response, whatever its status, comes from a failing service, from a proxy or firewall in front of it, or from a wrong base URL: it is never a success and never the fault of your data.',
  'A record is a JSON object with a value for at least one organization field other than `status`, in a 2xx response. A usable ID is a whole number from 0 to 2^53 - 1, or text of 1 to 20 digits. A registration succeeds only if the status is 200 and the record has a usable ID. A retrieval shows a record without an ID, with which `-q` fails; the record of another organization than the requested one is an `unreadable_response`.',
  '401 and 402 immediately end a run of several organizations, as does a 403 before the service has responded to any other request. A later 403 affects only one organization. If the key has registered rows of the file before, `carbon batch` ends only when three new rows get a 403 and the service accepts none; it postpones one or two such rows.',
  'HTTP allows an unrequested `100 Continue` and a repeated `Content-Length`. undici, the HTTP client of `carbon`, cannot read either, so you get a network failure.',
];

/** Writes docs/reference/errors.md. */
export function writeErrors(): string {
  return writePage([
    '# Error codes',
    prose('`--json` prints these codes, and the [exit code](exit-codes.md) of the command.'),
    table(
      ['code', 'exit', 'meaning'],
      Object.entries(failures).map(([name, { exit, meaning }]) => [
        code(name),
        `${exit}`,
        escapeText(meaning),
      ]),
    ),
    '## Responses of the service',
    table(
      ['response', 'code'],
      responses.map(([response, name]) => [response, code(name)]),
    ),
    ...paragraphs.map(prose),
  ]);
}
