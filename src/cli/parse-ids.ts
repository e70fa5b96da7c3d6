import { UsageError } from '../runtime/carbon-error.ts';
import type { Context, Input } from '../runtime/context.ts';

/** One id to work on, or what is wrong with what stood in its place. */
export type GivenId = { readonly id: string } | { readonly error: UsageError };

/** Ids as they come, and what was left out of standard input. */
export interface GivenIds extends AsyncIterable<GivenId> {
  /** Lines of items that failed before: they have no id, and whoever wrote them has told why. */
  readonly failedBefore: number;
  /** Whether a person types them: then nothing may move on the same screen. */
  readonly isTyped: boolean;
  /** The id, when a command line names exactly one, in one word. */
  readonly only: string | undefined;
}

/** One id that is known already. */
export function onlyId(id: string): GivenIds {
  const given = { id };
  return {
    failedBefore: 0,
    isTyped: false,
    only: id,
    async *[Symbol.asyncIterator]() {
      yield given;
    },
  };
}

/**
 * Reads the organization ids of a command line; `-` stands for standard input, one id or one NDJSON
 * line with `id` per line, read as it comes. Repeated ids are dropped.
 * @throws UsageError for an argument that is no id, and while iterating when standard input does
 * not begin with one; a later bad line is yielded as an error
 */
export function readIds(args: readonly string[], context: Pick<Context, 'stdin'>): GivenIds {
  const known = args.map((text) => (text === '-' ? text : checkArgument(text)));
  const counts = { failedBefore: 0 };
  return {
    get failedBefore() {
      return counts.failedBefore;
    },
    isTyped: known.includes('-') && context.stdin.isTTY === true,
    only: known.length === 1 && known[0] !== '-' ? known[0] : undefined,
    [Symbol.asyncIterator]: () => unrepeated([...new Set(known)], context, counts),
  };
}

async function* unrepeated(
  known: readonly string[],
  context: Pick<Context, 'stdin'>,
  counts: { failedBefore: number },
): AsyncGenerator<GivenId> {
  const seen = new Set<string>();
  for (const text of known) {
    const given = text === '-' ? readLines(context.stdin, counts) : [{ id: text }];
    for await (const item of given) {
      if ('id' in item && seen.has(item.id)) continue;
      if ('id' in item) seen.add(item.id);
      yield item;
    }
  }
}

async function* readLines(stdin: Input, counts: { failedBefore: number }): AsyncGenerator<GivenId> {
  let line = 0;
  let isTrusted = false;
  for await (const raw of linesOf(stdin)) {
    line += 1;
    const trimmed = raw.replace(/^\uFEFF/, '').trim();
    if (trimmed === '' || (line === 1 && header.test(trimmed))) continue;
    const text = trimmed.startsWith('{')
      ? await idOfJson(trimmed)
      : trimmed.replace(/^"(.*)"$/, '$1');
    if (text === undefined) {
      counts.failedBefore += 1;
      continue;
    }
    try {
      yield { id: checkId(text, `Line ${line} of standard input: ${quote(trimmed)}`) };
      isTrusted = true;
    } catch (error) {
      if (!(error instanceof UsageError) || !isTrusted) throw error;
      yield { error };
    }
  }
}

/* The header of a file with one column is no id, and no mistake. */
const header = /^"?id"?$/i;

const maxLineLength = 1 << 20;

async function* linesOf(stdin: Input): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let isSkipping = false;
  for await (const chunk of stdin) {
    const text: string =
      typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    // Of a line that was too long, the rest is no line of its own.
    if (isSkipping && lines.length > 0) {
      lines.shift();
      isSkipping = false;
    } else if (isSkipping) rest = '';
    yield* lines;
    if (rest.length > maxLineLength) {
      yield rest.slice(0, 2 * shownCharacters);
      rest = '';
      isSkipping = true;
    }
  }
  if (!isSkipping) yield rest;
}

/* Undefined for the line of a failed item. */
async function idOfJson(text: string): Promise<string | undefined> {
  const { isEnvelope } = await import('../report/input/envelope.ts');
  try {
    const item: object = JSON.parse(text);
    if (isEnvelope(item) && item.ok === false) return undefined;
    const { id } = item as { readonly id?: unknown };
    if (typeof id === 'number' && !Number.isSafeInteger(id)) return '';
    return String(id ?? '');
  } catch {
    return '';
  }
}

const shownCharacters = 40;

function quote(text: string): string {
  return `"${text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text}"`;
}

function checkArgument(text: string): string {
  if (!/^\d+([,;]\d+)+$/.test(text)) return checkId(text, `"${text}"`);
  const ids = text.split(/[,;]/).join(' ');
  throw new UsageError(
    `"${text}" is not the id of an organization`,
    `Ids are separate words: ${ids}`,
    'invalid_input',
  );
}

function checkId(text: string, where: string): string {
  if (/^\d{1,20}$/.test(text)) return text.replace(/^0+(?=\d)/, '');
  throw new UsageError(`${where} is not the id of an organization`, hintFor(text), 'invalid_input');
}

function hintFor(text: string): string {
  if (/\.(csv|tsv|txt|json|ndjson|jsonl)$/i.test(text)) {
    return `Ids are read from standard input: carbon get - < ${text}. carbon batch registers the rows of a CSV file.`;
  }
  return /[,;\t|]/.test(text)
    ? 'Standard input is to have one id per line, or NDJSON; `carbon batch` registers the rows of a CSV file.'
    : 'An id is a whole number, such as 12; `carbon register` answers with it.';
}
