/* Reads the items of a series, and sends a request for each of them. */
import type { RateLimit } from '../runtime/carbon-error.ts';
import { type Environment, type Outcome, type ScheduleOptions, schedule } from './scheduler.ts';

export type Items<Item> = Iterable<Item> | AsyncIterable<Item>;

/** Returns what reads items one by one; `close` ends them, unless one is being waited for. */
export function reader<Item>(items: Items<Item>): {
  next(): Promise<Item | undefined>;
  close(): void;
} {
  const source =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  return {
    next: () =>
      Promise.resolve(source.next()).then(({ done, value }) => (done ? undefined : value)),
    // A generator that waits for its next item returns only after it, if ever.
    close: () => void Promise.resolve(source.return?.()).catch(() => undefined),
  };
}

export type ItemOutcome<Item, Response> = { readonly item: Item } & Outcome<Response>;

/* Results that may wait for an earlier one. */
const maxUnordered = 128;

/** Sends a request for each item by the rules of `schedule`, and yields in their order. */
export async function* sendInOrder<
  Item extends object | string | number,
  Response extends { readonly limit?: RateLimit | undefined },
>(
  environment: Environment,
  items: Items<Item>,
  options: Pick<
    ScheduleOptions<Item, Response, never>,
    'attempt' | 'pacer' | 'mayStart' | 'isShort'
  >,
): AsyncGenerator<ItemOutcome<Item, Response>, void, void> {
  type Numbered = { readonly item: Item; readonly index: number };
  const source = reader(items);
  const done = new Map<number, ItemOutcome<Item, Response>>();
  let [read, yielded] = [0, 0];
  let proceed = () => {};
  const number = (item: Item | undefined): Numbered | undefined =>
    item === undefined ? undefined : { item, index: read++ };
  const next = async (): Promise<Numbered | undefined> => {
    while (read - yielded >= maxUnordered)
      await new Promise<void>((resolve) => {
        proceed = resolve;
      });
    return source.next().then(number);
  };
  try {
    const results = schedule(environment, {
      ...options,
      next,
      attempt: ({ item }: Numbered, signal) => options.attempt(item, signal),
      judge: (job, outcome: Outcome<Response>) => ({ result: { ...job, ...outcome } }),
    });
    for await (const result of results) {
      done.set(result.index, result);
      for (let first = done.get(yielded); first !== undefined; first = done.get(yielded)) {
        done.delete(yielded);
        yielded += 1;
        proceed();
        yield first;
      }
    }
  } finally {
    source.close();
  }
}
