/* Prints a response: unchanged in a pipe, indented or sanitized on a terminal. */
import type { HttpResponse } from '../../../api/request.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import type { Session } from '../../session.ts';

/* Headers that give access to an account. */
const secretHeaders = ['set-cookie', 'set-cookie2', 'authorization'];

/**
 * Prints the status line and the headers, without cookies. Every line is safe for a terminal.
 */
export async function printHead(
  session: Session,
  { status, headers }: HttpResponse,
  redact: (text: string) => string,
): Promise<void> {
  const { STATUS_CODES } = await import('node:http');
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []]
      .flat()
      .map((text) => redact(`${name}: ${secretHeaders.includes(name) ? '[hidden]' : text}`)),
  );
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  session.print(`${[statusLine, ...lines].map(sanitize).join('\n')}\n\n`);
}

/**
 * Prints the body.
 * @returns whether the output ends with a complete line
 */
export function printBody(session: Session, { body, headers }: HttpResponse): boolean {
  const { stdout } = session.context;
  if (body.length === 0) return true;
  const text = decode(body);
  if (!stdout.isTerminal) {
    stdout.write(text ?? body);
    return body.at(-1) === 10;
  }
  if (text === undefined) {
    const type = sanitize([headers['content-type'] ?? 'unknown type'].flat().join(', '));
    session.messages.warn(
      `The response has ${body.length} bytes that are not text (${type}). Redirect the output to save them.`,
    );
  } else if (isJson(text)) session.printJson(text);
  else
    session.print(
      `${text
        .replace(/\r?\n$/, '')
        .split(/\r?\n/)
        .map(sanitize)
        .join('\n')}\n`,
    );
  return true;
}

/* Returns the text that has exactly these bytes in UTF-8; undefined if there is none. */
function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
