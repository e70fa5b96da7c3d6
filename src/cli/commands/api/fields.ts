/* Reads the fields and the body of a request: -f, -F and --input. */
import { createReadStream } from 'node:fs';
import { maxResponseBytes } from '../../../api/request.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import type { Context } from '../../../runtime/context.ts';
import { explainSystemError } from '../../../runtime/system-error.ts';

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
 * Reads the values of all fields. `-F key=@file` is the text of a file as a string, and `@-` that
 * of standard input. Any other value of -F is JSON, which stays as written, such as large numbers.
 * @throws UsageError for a value that is not JSON, an unreadable file and a repeated key
 */
export async function readFields(
  given: readonly GivenField[],
  context: Pick<Context, 'stdin' | 'signal'>,
): Promise<Field[]> {
  const keys = given.map(({ key }) => key);
  const repeated = keys.find((key, index) => keys.indexOf(key) < index);
  if (repeated !== undefined) throw new UsageError(`The field ${repeated} was given twice`);
  if (given.filter(({ flag, text }) => flag === '-F' && text === '@-').length > 1)
    throw new UsageError('Only one field can be read from standard input');
  const fields: Field[] = [];
  for (const { flag, key, text } of given) {
    const isFile = flag === '-F' && text.startsWith('@');
    const value = isFile ? await readText(text.slice(1), `-F ${key}`, context) : text;
    const isJson = flag === '-F' && !isFile;
    if (isJson && !isValidJson(value)) {
      throw new UsageError(
        `-F ${key}: "${value}" is not JSON`,
        `For a string, use -f ${key}=... For JSON, quote it for the shell: -F '${key}=["a", 1]'.`,
        'invalid_input',
      );
    }
    fields.push({ key, json: isJson ? value : JSON.stringify(value) });
  }
  return fields;
}

/** Returns a JSON object with these fields. */
export function renderBody(fields: readonly Field[]): string {
  return `{${fields.map(({ key, json }) => `${JSON.stringify(key)}:${json.trim()}`).join(',')}}`;
}

/**
 * Appends the fields to the query of a path.
 * @throws UsageError for a value that a query cannot contain: an object, a list, or half of a
 * surrogate pair
 */
export function addQuery(path: string, fields: readonly Field[]): string {
  if (fields.length === 0) return path;
  const pairs = fields.map(({ key, json }) => {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null) {
      const kind = Array.isArray(value) ? 'a list' : 'an object';
      throw new UsageError(
        `-F ${key}: a query parameter cannot be ${kind}`,
        'Name a method with a body, such as POST.',
        'invalid_input',
      );
    }
    const text = typeof value === 'string' ? value : json.trim();
    if (/\p{Cs}/u.test(text)) {
      throw new UsageError(
        `-F ${key}: half of a surrogate pair cannot be in a query`,
        'Write both halves of the pair, or the character itself.',
        'invalid_input',
      );
    }
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
  context: Pick<Context, 'stdin' | 'signal'>,
): Promise<string> {
  const text = await readText(path, '--input', context);
  if (isValidJson(text)) return text;
  throw new UsageError(
    `--input: ${nameOf(path)} is not JSON`,
    'carbon sends only JSON bodies (Content-Type: application/json).',
    'invalid_input',
  );
}

/* A device or a pipe has no size, so the limit applies to what was read. */
async function readText(
  path: string,
  flag: string,
  { stdin, signal }: Pick<Context, 'stdin' | 'signal'>,
): Promise<string> {
  const fail = (why: string) =>
    new UsageError(`${flag}: cannot read ${nameOf(path)}: ${why}`, undefined, 'invalid_input');
  const tooLarge = fail(`it is larger than ${maxResponseBytes / 2 ** 20} MiB`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of path === '-' ? stdin : createReadStream(path, { signal })) {
      const part = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
      bytes += part.length;
      if (bytes > maxResponseBytes) throw tooLarge;
      chunks.push(part);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error === tooLarge || path === '-' ? error : fail(explainSystemError(error));
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw fail('it is not UTF-8 text');
  }
}

function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path;
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
