/*
 * Finds out which journals a run writes at the moment, without taking a lock. If the holder of a
 * lock is on another machine, only its heartbeat shows that it is alive.
 */
import type { Clock } from '../../runtime/clock.ts';
import { isAlive, type MachineIdentity } from '../../runtime/machine.ts';
import { heartbeatMs, readHolder } from '../journal/lock.ts';
import { linkedJournal, lockFile } from '../journal/paths.ts';

/* Time in which a run on another machine rewrites its lock, in milliseconds. */
const maxPauseMs = 2.5 * heartbeatMs;

/** Observes the locks of journals from its creation until `finish`. */
export class LockObserver {
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #running = new Set<string>();
  /* The content of each lock whose holder this machine cannot see, by journal. */
  readonly #unclear = new Map<string, string>();

  constructor(journals: readonly string[], machine: MachineIdentity, clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.elapsed();
    for (const journal of journals) {
      const lock = readHolderOf(journal);
      if (lock === undefined) continue;
      const alive = lock.holder && isAlive(lock.holder, machine);
      if (alive === undefined) this.#unclear.set(journal, lock.text);
      else if (alive) this.#running.add(journal);
    }
  }

  /**
   * Returns the journals that runs write, or wrote at first. Waits up to 5 s for the heartbeat of
   * other machines.
   */
  async finish(signal: AbortSignal): Promise<ReadonlySet<string>> {
    const leftMs = maxPauseMs - (this.#clock.elapsed() - this.#startedAt);
    if (!this.#findBeats() && leftMs > 0) {
      await this.#clock.sleep(leftMs, signal);
      this.#findBeats();
    }
    return this.#running;
  }

  /* Returns whether no lock is unclear. */
  #findBeats(): boolean {
    for (const [journal, text] of this.#unclear) {
      if (readHolderOf(journal)?.text === text) continue;
      // Without a lock, the run has ended since, so its journal has more rows than were counted.
      this.#unclear.delete(journal);
      this.#running.add(journal);
    }
    return this.#unclear.size === 0;
  }
}

/* An unreadable lock does not end the report. */
function readHolderOf(journal: string): ReturnType<typeof readHolder> {
  try {
    return readHolder(lockFile(linkedJournal(journal)));
  } catch {
    return undefined;
  }
}
