/**
 * Maps items concurrently and yields the results in the order of the items.
 *
 * Yields each result as soon as all earlier ones are ready. When the consumer stops, the items end,
 * and calls in progress continue.
 * @param concurrency maximum number of calls in progress
 */
export async function* mapConcurrent<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const source = iterate(items);
  const started: Promise<Result>[] = [];
  const readNext = () => quiet(source.next());
  let next: ReturnType<typeof readNext> | undefined = readNext();
  try {
    for (;;) {
      const [first] = started;
      if (next !== undefined && started.length < concurrency) {
        const isReady = first === undefined ? [] : [first.then(() => undefined)];
        const item: Awaited<typeof next> | undefined = await Promise.race([next, ...isReady]);
        if (item !== undefined) {
          next = item.done ? undefined : readNext();
          if (!item.done) started.push(quiet(work(item.value)));
          continue;
        }
      }
      if (first === undefined) return;
      const result = await first;
      started.shift();
      yield result;
    }
  } finally {
    // Resolves only after the item that is being read, which may never arrive.
    void source.return(undefined).catch(() => undefined);
  }
}

async function* iterate<Item>(items: AsyncIterable<Item> | Iterable<Item>) {
  yield* items;
}

/* Its failure is handled in its turn. */
function quiet<Result>(task: Promise<Result>): Promise<Result> {
  task.catch(() => undefined);
  return task;
}
