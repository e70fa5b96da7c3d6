/** Maximum number of calls whose shortest round trip decides. */
const maxSamples = 16;

/** Estimates the server's clock from calls, as NTP does: the shortest round trip is the best. */
export class ServerClock {
  readonly #samples: { readonly roundTripMs: number; readonly offsetMs: number }[] = [];
  #offsetMs = 0;
  #roundTripMs = Infinity;

  /** Shortest recent round trip in milliseconds; Infinity before the first call. */
  get roundTripMs(): number {
    return this.#roundTripMs;
  }

  /** Records a call: local times of sending and receiving, and the server's time. */
  record(sentAt: number, receivedAt: number, serverMs: number): void {
    this.#samples.push({
      roundTripMs: receivedAt - sentAt,
      offsetMs: serverMs - (sentAt + receivedAt) / 2,
    });
    if (this.#samples.length > maxSamples) this.#samples.shift();
    const [first, ...others] = this.#samples;
    let best = first;
    for (const sample of others)
      if (best === undefined || sample.roundTripMs <= best.roundTripMs) best = sample;
    // After the server's clock was set, older samples are wrong.
    const latest = this.#samples.at(-1);
    if (latest && best && Math.abs(latest.offsetMs - best.offsetMs) > latest.roundTripMs + 1) {
      this.#samples.splice(0, this.#samples.length - 1);
      best = latest;
    }
    this.#offsetMs = best?.offsetMs ?? 0;
    this.#roundTripMs = best?.roundTripMs ?? Infinity;
  }

  /** Converts a local time to the server's. */
  toServer(local: number): number {
    return local + this.#offsetMs;
  }

  /** Converts a time of the server to the local one. */
  toLocal(server: number): number {
    return server - this.#offsetMs;
  }
}
