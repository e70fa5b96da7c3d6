import { constants, type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { codeOf, explainSystemError, invalidInput, UsageError } from '../runtime/carbon-error.ts';

export interface FoundFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Whether `carbon sync` keeps the records of this list, so that tools take it for them. */
  readonly has_records?: true;
}

const maxFound = 500;

/** Opens files below one directory, and no other file. */
export class RootDirectory {
  readonly #path: string;
  /* As given, which may lead to the root through a link. */
  readonly #given: string;

  private constructor(path: string, given: string) {
    this.#path = path;
    this.#given = given;
  }

  /** What precedes a path below the root, as JSON has it. */
  get prefix(): string {
    return JSON.stringify(this.#path + sep).slice(1, -1);
  }

  /** @throws UsageError if the path is no directory */
  static async open(path: string): Promise<RootDirectory> {
    const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
      throw codeOf(error) === 'ENOENT'
        ? new UsageError(
            `--root ${path}: there is no such directory`,
            'Create the directory, or check the path.',
          )
        : new UsageError(`--root ${path}: ${explainSystemError(error)}`);
    });
    if (!(await stat(real)).isDirectory())
      throw new UsageError(`--root ${path} is not a directory`);
    return new RootDirectory(real, resolve(path));
  }

  /** Finds regular files below the root, at most 500, without hidden ones and links. */
  async files(): Promise<{ readonly files: readonly FoundFile[]; readonly complete: boolean }> {
    const files: FoundFile[] = [];
    let complete = true;
    const visit = async (directory: string): Promise<void> => {
      const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
      for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        const path = join(directory, entry.name);
        if (entry.name.startsWith('.')) continue;
        if (files.length >= maxFound) complete = false;
        else if (entry.isDirectory()) await visit(path);
        else if (entry.isFile())
          files.push({ path: relative(this.#path, path).replaceAll(sep, '/') });
      }
    };
    await visit(this.#path);
    return { files: withoutStores(files), complete };
  }

  /**
   * Returns the absolute path of a file below the root.
   * @throws UsageError for a path that leaves the root
   */
  resolve(path: string): string {
    const given = resolve(this.#path, path);
    const isGiven = isBelow(this.#given, given);
    const file = isGiven ? join(this.#path, relative(this.#given, given)) : given;
    // No error may reveal whether a file outside the root exists.
    if (path.includes('\0') || !isBelow(this.#path, file)) throw outside(path);
    return file;
  }

  /**
   * Opens a regular file by its absolute path or the one below the root; a link may lead to any
   * file below it.
   *
   * carbon opens the file first and checks its place afterwards, so that a link that changes in
   * between has no effect.
   * @throws UsageError for a path that leaves the root, a missing file, and anything but a file
   */
  async openFile(path: string): Promise<FileHandle> {
    const file = this.resolve(path);
    const name = relative(this.#path, file) || '.';
    const fail = (cause: unknown) => {
      throw invalidInput(`${name}: ${explainSystemError(cause)}`, hint);
    };
    const real = await realpath(file).catch(fail);
    if (!isBelow(this.#path, real)) throw outside(name);
    // A pipe without a writer would block a plain open.
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
    const handle = await open(real, flags).catch(fail);
    try {
      await this.#check(name, real, handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return handle;
  }

  /* Opens no link a second time: the file that is open must be the one at its real path. */
  async #check(name: string, real: string, handle: FileHandle): Promise<void> {
    const opened = await handle.stat();
    if (!opened.isFile()) throw invalidInput(`${name} is not a file`, hint);
    const now = await realpath(real).catch(() => '');
    const found = now === real ? await stat(real) : undefined;
    if (found?.ino !== opened.ino || found.dev !== opened.dev) throw outside(name);
  }
}

/* What a tool reads: lists and spend, and records. */
const readable = /\.(?:csv|tsv|txt|xlsx|ndjson|jsonl|json)$/i;

/* Marks lists, and leaves out the files of their records, which the list stands for. */
function withoutStores(files: readonly FoundFile[]): FoundFile[] {
  const isStore = (file: FoundFile, list: FoundFile) =>
    file.path.startsWith(`${list.path}.`) && /\.(?:records|history)\.ndjson$/.test(file.path);
  const hasRecords = (list: FoundFile) => files.some((file) => isStore(file, list));
  return files
    .filter(({ path }) => readable.test(path) && !/\.carbon\.jsonl$/.test(path))
    .filter((file) => !files.some((list) => isStore(file, list)))
    .map((file) => (hasRecords(file) ? { ...file, has_records: true } : file));
}

function isBelow(root: string, path: string): boolean {
  const below = relative(root, path);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

const hint = 'Choose a file of list_files.';

function outside(path: string): UsageError {
  return invalidInput(`${path} is not below the root directory`, hint);
}
