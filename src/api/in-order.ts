/**
 * Maps items with at most `concurrency` at work at once and yields the results in the order of the items,
 * each as soon as all before it are there. Ends the work that is left when the consumer stops.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const source = items[Symbol.asyncIterator]();
  const started: Promise<Result>[] = [];
  let next: Promise<IteratorResult<Item>> | undefined = source.next();
  while (next !== undefined || started.length > 0) {
    const [first] = started;
    const pull: Promise<IteratorResult<Item>> | undefined = started.length < concurrency ? next : undefined;
    const ready: { read: IteratorResult<Item> } | { result: Result } = await Promise.race([
      ...(first === undefined ? [] : [first.then((result) => ({ result }))]),
      ...(pull === undefined ? [] : [pull.then((read) => ({ read }))]),
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
      next = source.next();
    }
  }
}
