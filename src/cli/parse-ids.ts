import { UsageError } from '../runtime/carbon-error.ts';
import type { Context, Input } from '../runtime/context.ts';

/** An id, or the error of an invalid line. */
export type GivenId = { readonly id: string } | { readonly error: UsageError };

/** Ids in the order of input. */
export interface GivenIds extends AsyncIterable<GivenId> {
  /** Number of skipped lines: items that already failed in an earlier command. */
  readonly failedBefore: number;
  /** Whether a person types the ids; then no spinner may disturb the screen. */
  readonly isTyped: boolean;
  /** The id, if the command line has exactly one. */
  readonly only: string | undefined;
}

/** Wraps one known id. */
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
 * Reads the organization ids of a command line. `-` reads standard input as it arrives: one id or
 * one JSON document with an `id` per line. Repeated ids are dropped.
 * @throws UsageError for an invalid argument, and while iterating if standard input does not begin
 * with an id; a later invalid line is yielded as an error
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

/* Header of a file with one column. */
const header = /^"?id"?$/i;

const maxLineLength = 1 << 20;

async function* linesOf(stdin: Input): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending = '';
  let isSkipping = false;
  for await (const chunk of stdin) {
    const text: string =
      typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = (pending + text).split(/\r?\n/);
    pending = lines.pop() ?? '';
    // The first piece is the end of a line that was too long.
    if (isSkipping && lines.length > 0) {
      lines.shift();
      isSkipping = false;
    } else if (isSkipping) pending = '';
    yield* lines;
    if (pending.length > maxLineLength) {
      yield pending.slice(0, 2 * shownCharacters);
      pending = '';
      isSkipping = true;
    }
  }
  if (!isSkipping) yield pending;
}

/* Returns the id of a JSON line; undefined for a failed item. */
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
    `"${text}" is not an organization id`,
    `Separate ids with spaces: ${ids}`,
    'invalid_input',
  );
}

function checkId(text: string, where: string): string {
  if (/^\d{1,20}$/.test(text)) return text.replace(/^0+(?=\d)/, '');
  throw new UsageError(`${where} is not an organization id`, hintFor(text), 'invalid_input');
}

function hintFor(text: string): string {
  if (/\.(csv|tsv|txt|json|ndjson|jsonl)$/i.test(text)) {
    return `To read ids from a file: carbon get - < ${text}. To register the rows of a CSV file: carbon batch.`;
  }
  return /[,;\t|]/.test(text)
    ? 'Write one id or one JSON document per line. To register the rows of a CSV file, use `carbon batch`.'
    : 'Use a whole number, such as 12. `carbon register` prints the id.';
}
