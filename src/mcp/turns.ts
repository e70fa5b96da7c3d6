/** Runs one piece of work after the other, so that calls at the same time need no more memory. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs the work when all earlier work has ended.
   * @throws the reason of the signal if it aborts before the work begins
   */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
