/**
 * Maps items concurrently and yields the results in the order of the items.
 *
 * Yields each result as soon as all earlier ones are ready. When the consumer stops, the groups
 * end, and calls in progress continue.
 * @param groups the items, in groups that arrive together
 * @param concurrency maximum number of calls in progress
 */
export async function* mapConcurrent<Item, Result>(
  groups: AsyncIterable<Iterable<Item>>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const source = groups[Symbol.asyncIterator]();
  try {
    yield* resultsOf(source, concurrency, work);
  } finally {
    // Resolves only after the group that is being read, which may never arrive.
    void Promise.resolve(source.return?.()).catch(() => undefined);
  }
}

async function* resultsOf<Item, Result>(
  source: AsyncIterator<Iterable<Item>>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const started: Promise<Result>[] = [];
  const readNext = () => {
    const group = source.next();
    group.catch(() => undefined);
    return group;
  };
  let items: Iterator<Item> = [].values();
  let next: ReturnType<typeof readNext> | undefined = readNext();
  for (;;) {
    while (started.length < concurrency) {
      const item = items.next();
      if (item.done) break;
      const task = work(item.value);
      task.catch(() => undefined);
      started.push(task);
    }
    const [first] = started;
    if (next !== undefined && started.length < concurrency) {
      const hasFirst = first?.then(() => undefined);
      const group: Awaited<typeof next> | undefined = await Promise.race(
        hasFirst === undefined ? [next] : [next, hasFirst],
      );
      if (group !== undefined) {
        next = group.done ? undefined : readNext();
        if (!group.done) items = group.value[Symbol.iterator]();
        continue;
      }
    }
    if (first === undefined) return;
    const result = await first;
    started.shift();
    yield result;
  }
}
