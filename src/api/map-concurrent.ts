/**
 * Maps items concurrently and yields the results in the order of the items.
 *
 * Yields each result as soon as all earlier ones are ready. Calls in progress continue when the
 * consumer stops.
 * @param concurrency maximum number of calls in progress
 */
export async function* mapConcurrent<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const source = items[Symbol.asyncIterator]();
  const started: Promise<Result>[] = [];
  const readNext = () => {
    const item = source.next();
    item.catch(() => undefined);
    return item;
  };
  let next: Promise<IteratorResult<Item>> | undefined = readNext();
  while (next !== undefined || started.length > 0) {
    const [first] = started;
    const awaited = started.length < concurrency ? next : undefined;
    const ready: { read: IteratorResult<Item> } | { result: Result } = await Promise.race([
      ...(first === undefined ? [] : [first.then((result) => ({ result }))]),
      ...(awaited === undefined ? [] : [awaited.then((read) => ({ read }))]),
    ]);
    if ('result' in ready) {
      started.shift();
      yield ready.result;
    } else if (ready.read.done) {
      next = undefined;
    } else {
      const task = work(ready.read.value);
      task.catch(() => undefined);
      started.push(task);
      next = readNext();
    }
  }
}
