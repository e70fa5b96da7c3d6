import type { RootDirectory } from './root-directory.ts';

/** What a tool made of files, and how much of it is kept: a number of organizations or rows. */
export interface Made<Value> {
  readonly value: Value;
  readonly size: number;
}

/* About a kilobyte each, so at most 250 MB. */
const maxSize = 250_000;
const maxEntries = 16;

/**
 * Keeps what tools made of files until one of the files changes, so that a dialog reads them once.
 */
export class FileCache {
  readonly #root: RootDirectory;
  readonly #made = new Map<string, Made<unknown>>();

  constructor(root: RootDirectory) {
    this.#root = root;
  }

  /**
   * Returns what `make` makes of the files.
   * @param key everything else that the value depends on
   */
  async get<Value>(
    key: unknown,
    paths: readonly string[],
    make: () => Promise<Made<Value>>,
  ): Promise<Value> {
    const before = await this.#keyOf(key, paths);
    const kept = this.#made.get(before) as Made<Value> | undefined;
    this.#made.delete(before);
    const made = kept ?? (await make());
    // A file that changed meanwhile may have been read in two versions.
    if (kept !== undefined || before === (await this.#keyOf(key, paths))) this.#keep(before, made);
    return made.value;
  }

  async #keyOf(key: unknown, paths: readonly string[]): Promise<string> {
    const versions: string[] = [];
    for (const path of paths) {
      const handle = await this.#root.openFile(path);
      try {
        const { dev, ino, size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
        versions.push([path, dev, ino, size, mtimeNs, ctimeNs].join(' '));
      } finally {
        await handle.close();
      }
    }
    return JSON.stringify([key, versions]);
  }

  /* The map has the most recent use last. */
  #keep(key: string, made: Made<unknown>): void {
    if (made.size > maxSize) return;
    this.#made.set(key, made);
    let size = [...this.#made.values()].reduce((sum, each) => sum + each.size, 0);
    for (const [oldest, { size: released }] of this.#made) {
      if (size <= maxSize && this.#made.size <= maxEntries) return;
      this.#made.delete(oldest);
      size -= released;
    }
  }
}
