/**
 * Maps items with at most `concurrency` at work at once and yields the results in the order of the
 * items, each as soon as all before it are there. Work that was begun goes on when the consumer
 * stops.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const source = items[Symbol.asyncIterator]();
  const started: Promise<Result>[] = [];
  const pull = () => {
    const read = source.next();
    read.catch(() => undefined);
    return read;
  };
  let next: Promise<IteratorResult<Item>> | undefined = pull();
  while (next !== undefined || started.length > 0) {
    const [first] = started;
    const wanted = started.length < concurrency ? next : undefined;
    const ready: { read: IteratorResult<Item> } | { result: Result } = await Promise.race([
      ...(first === undefined ? [] : [first.then((result) => ({ result }))]),
      ...(wanted === undefined ? [] : [wanted.then((read) => ({ read }))]),
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
      next = pull();
    }
  }
}
