import { withoutLeadingZeros } from '../client/api/ids.ts';
import { cut } from '../display/terminal/format.ts';
import { quoteWords } from '../display/terminal/sanitize.ts';
import { invalidInput, type UsageError } from '../runtime/carbon-error.ts';
import type { Input } from '../runtime/context.ts';
import { command, type Hint, hint } from '../runtime/hint.ts';
import type { Session } from './session.ts';

export type GivenId = { readonly id: string } | { readonly error: UsageError };

/** Ids in the order of input, as they arrive. */
export interface GivenIds extends AsyncIterable<GivenId> {
  /** Whether a person types the ids; then no spinner may disturb the screen. */
  readonly isTyped: boolean;
  readonly only: string | undefined;
  /**
   * Connects to the service that has the IDs.
   * @throws UsageError without a base URL, with the list in this folder that has the first ID
   */
  connect: Session['connect'];
}

/**
 * Reads the organization ids of a command line. `-` reads standard input as it arrives: one id or
 * one JSON document with an `id` per line. Repeated ids are dropped, and so are items that failed
 * in an earlier command, which reported them.
 * @throws UsageError for an invalid argument, and while iterating if standard input does not begin
 * with an id; a later invalid line is yielded as an error
 */
export async function readIds(args: readonly string[], session: Session): Promise<GivenIds> {
  const { context, messages } = session;
  const { stdin } = context;
  const known = new Set<string>();
  for (const text of args) known.add(text === '-' ? text : await readArgument(text, session));
  const [only] = known;
  const isTyped = known.has('-') && stdin.isTTY === true;
  return {
    isTyped,
    only: known.size === 1 && only !== '-' ? only : undefined,
    async connect(options) {
      try {
        return await session.connect(options);
      } catch (error) {
        if (only === undefined || only === '-') throw error;
        const { explainNoService } = await import('./named-organization.ts');
        throw await explainNoService(error, only, context.signal);
      }
    },
    async *[Symbol.asyncIterator]() {
      if (isTyped) messages.hint('Type one ID per line; Ctrl-D ends the list.');
      const seen = new Set<string>();
      for (const text of known)
        for await (const given of text === '-' ? readLines(stdin) : [{ id: text }])
          if ('error' in given) yield given;
          else if (!seen.has(given.id)) {
            seen.add(given.id);
            yield given;
          }
    },
  };
}

const header = /^"?id"?$/i;

async function* readLines(stdin: Input): AsyncGenerator<GivenId> {
  let line = 0;
  let isTrusted = false;
  for await (const lines of linesOf(stdin))
    for (const raw of lines) {
      line += 1;
      // Removes a byte order mark, too.
      const trimmed = raw.trim();
      if (trimmed === '' || (line === 1 && header.test(trimmed))) continue;
      if (!isTrusted && trimmed.includes('\0'))
        throw invalidInput(
          'Standard input seems to be UTF-16, not UTF-8',
          'Save the IDs as UTF-8, or convert them: iconv -f UTF-16 -t UTF-8 ids.txt | carbon get -. In PowerShell, use Out-File -Encoding utf8.',
        );
      const where = `Line ${line} of standard input: "${cut(trimmed, 40)}"`;
      try {
        const text = trimmed.startsWith('{')
          ? await idOfJson(trimmed)
          : trimmed.replace(/^"(.*)"$/, '$1');
        if (text !== undefined) yield { id: readId(text, where) };
      } catch (error) {
        if (!isTrusted) throw error;
        yield { error: error as UsageError };
      }
      isTrusted = true;
    }
}

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

let envelope: typeof import('../portfolio/records/envelope.ts') | undefined;

/* Returns the id of a JSON line, empty if it has none; undefined for a failed item. */
async function idOfJson(text: string): Promise<string | undefined> {
  envelope ??= await import('../portfolio/records/envelope.ts');
  try {
    const item: object = JSON.parse(text);
    if (envelope.isEnvelope(item) && item.ok === false) return undefined;
    const { id } = item as { readonly id?: unknown };
    return typeof id === 'number' && !Number.isSafeInteger(id) ? '' : String(id ?? '');
  } catch {
    return '';
  }
}

async function readArgument(text: string, { context, flags }: Session): Promise<string> {
  const where = `"${text}"`;
  if (!isName.test(text)) return readId(text, where);
  const { describeFound, findByName } = await import('./named-organization.ts');
  const { signal } = context;
  const found = await findByName(text, { sandbox: flags.sandbox === true, signal });
  if (found === undefined) return readId(text, where);
  const { id, isOfSandbox } = found;
  const option = isOfSandbox && !flags.sandbox ? ' --sandbox' : '';
  const words = command`get ${`${id}${option}`}`;
  throw invalidInput(`${where} is not an organization ID`, [
    ...describeFound(found),
    ...hint`To ask the ${isOfSandbox ? 'sandbox' : 'service'}: ${words}`,
  ]);
}

function readId(text: string, where: string): string {
  if (/^\d{1,20}$/.test(text)) return withoutLeadingZeros(text);
  throw invalidInput(`${where} is not an organization ID`, hintAtIds(text));
}

const isName = /^\p{L}[^,;\t|{}]{0,60}$/u;

const maxRange = 20;

/* Returns the IDs of a short range, such as `1001-1005`. */
function idsBetween(text: string): string[] {
  const [, from, to] = /^(\d{1,15})\s*(?:-|–|\.{2,3}|:)\s*(\d{1,15})$/.exec(text) ?? [];
  const count = Number(to) - Number(from) + 1;
  if (!(count > 1 && count <= maxRange)) return [];
  return Array.from({ length: count }, (_, index) => String(Number(from) + index));
}

function hintAtIds(text: string): Hint {
  const numbers = (text.match(/\d+/g) ?? []).filter(({ length }) => length <= 20);
  const range = idsBetween(text);
  if (range.length > 0) return `Did you mean ${range.join(' ')}? A range is no ID.`;
  if (numbers.length > 0 && /^(?:id|[\d\s#,;:|/+])+$/i.test(text))
    return `Did you mean ${numbers.join(' ')}? Separate IDs with spaces, or write one per line for \`-\`.`;
  if (/\.(?:csv|tsv|xlsx|xlsm|txt|json|ndjson|jsonl)$/i.test(text)) {
    const file = quoteWords([text]);
    return hint`To read IDs from a file, one per line: ${command`get - < ${file}`}. To register the rows of a list: ${command`sync ${file}`}`;
  }
  const isNamed = isName.test(text);
  const list = isNamed
    ? command`list suppliers.csv --where ${quoteWords([`name=${text}`])}`
    : command`list suppliers.csv -q`;
  const register = isNamed ? command`register --name ${quoteWords([text])}` : command`register`;
  return hint`Use whole numbers such as 12, separated by spaces. For the ID of an organization on your list: ${list}. For a new organization, ${register} registers it and prints its ID.`;
}
