import type { Input } from '../context.ts';
import { UsageError } from '../errors.ts';

/** One id to work on, or what is wrong with what stood in its place. */
export type GivenId = { readonly id: string } | { readonly error: UsageError };

/**
 * Yields the organization ids of a command line; `-` stands for standard input, one id or one NDJSON line
 * with `id` per line, read as it comes. Repeated ids are dropped, and so are the lines of items that failed before.
 * @throws UsageError for an argument that is no id; a bad line of standard input is yielded as an error
 */
export async function* readIds(args: readonly string[], stdin: Input): AsyncGenerator<GivenId> {
  const seen = new Set<string>();
  const known = args.map((text) => (text === '-' ? text : checkId(text, `"${text}"`)));
  for (const text of known) {
    const given = text === '-' ? readLines(stdin) : [{ id: text }];
    for await (const item of given) {
      if ('id' in item && seen.has(item.id)) continue;
      if ('id' in item) seen.add(item.id);
      yield item;
    }
  }
}

async function* readLines(stdin: Input): AsyncGenerator<GivenId> {
  let line = 0;
  for await (const raw of linesOf(stdin)) {
    line += 1;
    const trimmed = raw.replace(/^\uFEFF/, '').trim();
    if (trimmed === '') continue;
    const text = trimmed.startsWith('{') ? idOfJson(trimmed) : trimmed;
    if (text === undefined) continue;
    try {
      yield { id: checkId(text, `line ${line} of standard input`) };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      yield { error };
    }
  }
}

const longestLine = 1 << 20;

async function* linesOf(stdin: Input): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stdin) {
    const text: string = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > longestLine)
      throw new UsageError('Standard input has a line that is too long for an id');
  }
  yield rest;
}

/* A line of a failed item has no id; whoever wrote it has told why. */
function idOfJson(text: string): string | undefined {
  try {
    const { id, ok } = JSON.parse(text) as { id?: unknown; ok?: unknown };
    if (typeof id === 'number' && !Number.isSafeInteger(id)) return '';
    return ok === false ? undefined : String(id ?? '');
  } catch {
    return '';
  }
}

function checkId(text: string, where: string): string {
  if (/^\d{1,20}$/.test(text)) return text.replace(/^0+(?=\d)/, '');
  throw new UsageError(
    `${where} is not the id of an organization`,
    'An id is a whole number, such as 12; `carbon register` answers with it.',
    'invalid_input',
  );
}
