/** Jobs that wait for their time, the one that is due first in front. Times are of the monotonic clock, in milliseconds. */
export class WaitingJobs<Job> {
  readonly #jobs: { readonly due: number; readonly job: Job }[] = [];

  get size(): number {
    return this.#jobs.length;
  }

  add(job: Job, due: number): void {
    const later = this.#jobs.findLastIndex((other) => other.due <= due);
    this.#jobs.splice(later + 1, 0, { due, job });
  }

  /** Takes the first job that is due, undefined when none is. */
  take(now: number): Job | undefined {
    const [first] = this.#jobs;
    if (first === undefined || first.due > now) return undefined;
    this.#jobs.shift();
    return first.job;
  }

  /** How long until a job is due, Infinity when none waits. */
  delay(now: number): number {
    const [first] = this.#jobs;
    return first === undefined ? Number.POSITIVE_INFINITY : Math.max(0, first.due - now);
  }
}
