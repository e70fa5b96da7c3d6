/*
 * Reads what the command line of `carbon api` gives: the path, the fields (-f, -F) and the body
 * (--input).
 */
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { invalidInput, UsageError } from '../../runtime/carbon-error.ts';
import type { Context } from '../../runtime/context.ts';
import { explainSystemError } from '../../runtime/system-error.ts';

/**
 * Returns the path and query under the base URL, with a leading slash. The API key goes only to
 * paths under the base URL, whatever the command line names.
 *
 * @param text path relative to the base URL, with or without a slash, or a URL under the base URL
 * @param baseUrl address of the service, without final slashes
 * @throws UsageError that quotes no more of another URL than its origin
 */
export function readEndpoint(text: string, baseUrl: string): string {
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/+$/, '');
  const isAbsolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  checkText(text, isAbsolute);
  const address = isAbsolute ? text : `${baseUrl}/${text.replace(/^\//, '')}`;
  if (!URL.canParse(address)) throw invalid('it is not a URL');
  const url = new URL(address);
  if (url.username !== '' || url.password !== '')
    throw invalid('a URL with a user name or a password is not allowed');
  const isBelow = url.pathname === basePath || url.pathname.startsWith(`${basePath}/`);
  if (url.origin !== base.origin || !isBelow) {
    const where = url.origin === base.origin ? 'not under' : `at ${url.origin}, not under`;
    throw invalid(
      `it is ${where} the base URL ${baseUrl}`,
      'Use a path such as organizations/12. carbon sends the API key only to paths under the base URL.',
    );
  }
  return `${url.pathname.slice(basePath.length) || '/'}${url.search}`;
}

function checkText(text: string, isAbsolute: boolean): void {
  if (text === '') throw invalid('it is empty');
  if (/^[a-z]:[\\/]/i.test(text)) {
    throw invalid(
      `"${text}" is a path of Windows`,
      'A shell such as Git Bash changes paths with a leading slash. Leave the slash out.',
    );
  }
  if (!isAbsolute && text.startsWith('//')) throw invalid('it begins with two slashes');
  if (/[\p{Cc}\p{Cs}\s\\]/u.test(text)) {
    throw invalid(
      'it contains a space, a control character or a backslash',
      'Write %20 for a space, or give query parameters with -f: carbon api GET search -f "q=Acme AG".',
    );
  }
  if (text.includes('#')) throw invalid('it has a fragment', 'Write %23 for a #.');
  const [path = ''] = text.split('?');
  // Some servers decode slashes, or ignore the parameters of a segment, before they resolve `..`.
  if (path.split(/\/|%2f|%5c/i).some((segment) => /^(\.|%2e){1,2}(;|%3b|$)/i.test(segment)))
    throw invalid('it has a segment . or ..', 'Write the path without these segments.');
}

function invalid(problem: string, hint?: string): UsageError {
  return invalidInput(`Invalid path: ${problem}`, hint);
}

/** One field of a request, with its value as JSON text. */
export interface Field {
  readonly key: string;
  readonly json: string;
}

/** A field as the command line gives it. */
export interface GivenField {
  readonly flag: '-f' | '-F';
  readonly key: string;
  readonly text: string;
}

/** Returns a parser that collects the fields of one flag. */
export function collectFields(flag: GivenField['flag']) {
  return (text: string, earlier: readonly GivenField[] = []): GivenField[] => {
    const end = text.indexOf('=');
    if (end < 1) {
      const example = flag === '-f' ? '-f name=Acme' : '-F employees=250';
      throw new UsageError(`${flag}: "${text}" is not key=value`, `Write it like ${example}.`);
    }
    return [...earlier, { flag, key: text.slice(0, end), text: text.slice(end + 1) }];
  };
}

/**
 * Reads the values of all fields. A value of -F is JSON, which stays as written, such as large
 * numbers.
 * @throws UsageError for a value that is not JSON and a repeated key
 */
export function readFields(given: readonly GivenField[]): Field[] {
  const keys = given.map(({ key }) => key);
  const repeated = keys.find((key, index) => keys.indexOf(key) < index);
  if (repeated !== undefined) throw new UsageError(`The field ${repeated} was given twice`);
  return given.map(({ flag, key, text }) => {
    if (flag === '-f') return { key, json: JSON.stringify(text) };
    if (isJson(text)) return { key, json: text };
    throw invalidInput(
      `-F ${key}: "${text}" is not JSON`,
      `For a string, use -f ${key}=... For JSON, quote it for the shell: -F '${key}=["a", 1]'.`,
    );
  });
}

/** Returns a JSON object with these fields. */
export function renderBody(fields: readonly Field[]): string {
  return `{${fields.map(({ key, json }) => `${JSON.stringify(key)}:${json.trim()}`).join(',')}}`;
}

/**
 * Appends the fields to the query of a path.
 * @throws UsageError for a value that a query cannot contain: an object or a list
 */
export function addQuery(path: string, fields: readonly Field[]): string {
  if (fields.length === 0) return path;
  const pairs = fields.map(({ key, json }) => {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null) {
      const kind = Array.isArray(value) ? 'a list' : 'an object';
      throw invalidInput(
        `-F ${key}: a query parameter cannot be ${kind}`,
        'Name a method with a body, such as POST.',
      );
    }
    const text = typeof value === 'string' ? value : json.trim();
    return `${encodeURIComponent(key)}=${encodeURIComponent(text)}`;
  });
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/**
 * Reads the JSON text of `--input` and returns it unchanged.
 * @throws UsageError if the file cannot be read or is not JSON
 */
export async function readInput(
  path: string,
  { stdin, signal }: Pick<Context, 'stdin' | 'signal'>,
): Promise<string> {
  const name = path === '-' ? 'standard input' : path;
  const bytes = await buffer(path === '-' ? stdin : createReadStream(path, { signal })).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      if (path === '-') throw error;
      const why = explainSystemError(error);
      throw invalidInput(`--input: cannot read ${name}: ${why}`);
    },
  );
  const text = decodeText(bytes)?.replace(/^\ufeff/, '');
  if (text !== undefined && isJson(text)) return text;
  throw invalidInput(
    `--input: ${name} is not JSON`,
    'carbon sends only JSON bodies (Content-Type: application/json).',
  );
}

/** Returns the text that has exactly these bytes in UTF-8; undefined if there is none. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Checks whether a text is one JSON document. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
