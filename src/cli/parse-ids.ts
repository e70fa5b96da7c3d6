import { withoutLeadingZeros } from '../api/ids.ts';
import { invalidInput, type UsageError } from '../runtime/carbon-error.ts';
import type { Context, Input } from '../runtime/context.ts';
import type { Session } from './session.ts';

export type GivenId = { readonly id: string } | { readonly error: UsageError };

/** Ids in the order of input, as they arrive. */
export interface GivenIds extends AsyncIterable<GivenId> {
  /** Number of skipped lines: items that already failed in an earlier command. */
  readonly failedBefore: number;
  /** Whether a person types the ids; then no spinner may disturb the screen. */
  readonly isTyped: boolean;
  readonly only: string | undefined;
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
    async *[Symbol.asyncIterator]() {
      const seen = new Set<string>();
      const isNew = (given: GivenId) => 'error' in given || seen.size < seen.add(given.id).size;
      for (const text of new Set(known))
        if (text !== '-') {
          if (isNew({ id: text })) yield { id: text };
        } else
          for await (const given of readLines(context.stdin, counts)) if (isNew(given)) yield given;
    },
  };
}

async function* readLines(stdin: Input, counts: { failedBefore: number }): AsyncGenerator<GivenId> {
  let line = 0;
  let isTrusted = false;
  for await (const lines of linesOf(stdin))
    for (const raw of lines) {
      line += 1;
      // Removes a byte order mark, too.
      const trimmed = raw.trim();
      if (trimmed === '' || (line === 1 && header.test(trimmed))) continue;
      const text = trimmed.startsWith('{')
        ? await idOfJson(trimmed)
        : trimmed.replace(/^"(.*)"$/, '$1');
      if (text === undefined) {
        counts.failedBefore += 1;
        continue;
      }
      const id = readId(text);
      if (id !== undefined) yield { id };
      else {
        const shown = trimmed.length > 40 ? `${trimmed.slice(0, 40)}…` : trimmed;
        const error = invalidId(text, `Line ${line} of standard input: "${shown}"`);
        if (!isTrusted) throw error;
        yield { error };
      }
      isTrusted = true;
    }
}

const header = /^"?id"?$/i;

/* Yields the lines of each chunk; the last line of all comes alone. */
async function* linesOf(stdin: Input): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of stdin) {
    const text: string =
      typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = (pending + text).split(/\r?\n/);
    pending = lines.pop() ?? '';
    yield lines;
  }
  yield [pending];
}

let envelope: typeof import('../records/envelope.ts') | undefined;

/* Returns the id of a JSON line; undefined for a failed item. */
async function idOfJson(text: string): Promise<string | undefined> {
  envelope ??= await import('../records/envelope.ts');
  try {
    const item: object = JSON.parse(text);
    if (envelope.isEnvelope(item) && item.ok === false) return undefined;
    const { id } = item as { readonly id?: unknown };
    if (typeof id === 'number' && !Number.isSafeInteger(id)) return '';
    return String(id ?? '');
  } catch {
    return '';
  }
}

function checkArgument(text: string): string {
  const id = readId(text);
  if (id !== undefined) return id;
  if (!/^\d+([,;]\d+)+$/.test(text)) throw invalidId(text, `"${text}"`);
  const ids = text.split(/[,;]/).join(' ');
  throw invalidInput(`"${text}" is not an organization ID`, `Separate ids with spaces: ${ids}`);
}

function readId(text: string): string | undefined {
  return /^\d{1,20}$/.test(text) ? withoutLeadingZeros(text) : undefined;
}

function invalidId(text: string, where: string): UsageError {
  const hint = /\.(csv|tsv|txt|json|ndjson|jsonl)$/i.test(text)
    ? `To read IDs from a file: carbon get - < ${text}. To register the rows of a CSV file: carbon batch.`
    : /[,;\t|]|^\d+\s+\d/.test(text)
      ? 'Write one ID or one JSON document per line. To register the rows of a CSV file, use `carbon batch`.'
      : 'Use a whole number, such as 12. `carbon register` prints the ID.';
  return invalidInput(`${where} is not an organization ID`, hint);
}

export function reportTyping({ messages }: Session, { isTyped }: GivenIds): void {
  if (isTyped) messages.hint('Type one ID per line; Ctrl-D ends the list.');
}

export function reportSkipped({ messages }: Session, { failedBefore }: GivenIds): void {
  const lines = failedBefore === 1 ? 'line that reports' : 'lines that report';
  if (failedBefore > 0)
    messages.warn(`Skipped in standard input: ${failedBefore} ${lines} an earlier failure.`);
}
