import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';

/* biome-ignore lint/suspicious/noExplicitAny: it passes on the arguments of any function */
type Any = any;

const { writeSync } = fs;

/* Functions whose first argument is a path or a file, and which return or throw. */
const direct = [
  'copyFileSync',
  'ftruncateSync',
  'linkSync',
  'openSync',
  'readFileSync',
  'readSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'writeFileSync',
  'writeSync',
] as const;
/* Functions with a callback. */
const deferred = ['fdatasync', 'fsync', 'write'] as const;

/** The file operations of a run. */
export interface FileOperations {
  /** Names of the functions, in the order of the calls. */
  readonly calls: readonly string[];
  restore(): void;
}

/**
 * Lets operations on the files of a directory fail with EIO (open, read, write, sync, rename, cut
 * and remove), in this process. A write that fails has written half of its bytes.
 * @param fails decides about the nth operation, from 1
 */
export function failOperations(
  directory: string,
  fails: (number: number) => boolean,
): FileOperations {
  const calls: string[] = [];
  const inside = (path: unknown) =>
    typeof path === 'string' && (path === directory || path.startsWith(join(directory, '/')));
  const files = new Set<number>();
  /* Returns the error if this operation must fail. */
  const next = (name: string, target: unknown): Error | undefined => {
    if (!inside(target) && !(typeof target === 'number' && files.has(target))) return undefined;
    calls.push(name);
    if (!fails(calls.length)) return undefined;
    const syscall = name.replace('Sync', '');
    const message = `EIO: i/o error, ${syscall}`;
    return Object.assign(new Error(message), { code: 'EIO', errno: -constants.errno.EIO, syscall });
  };
  const restorers: (() => void)[] = [];
  const replace = (owner: Any, name: string, by: (original: Any) => Any) => {
    const original = owner[name];
    owner[name] = by(original);
    restorers.push(() => {
      owner[name] = original;
    });
  };
  const half = (data: Any) => data.slice(0, Math.floor(data.length / 2));

  for (const name of direct)
    replace(fs, name, (original) => (target: unknown, ...rest: Any[]) => {
      const error = next(name, target);
      if (error !== undefined) {
        const [data, ...options] = rest;
        try {
          if (name.startsWith('write')) original(target, half(data), ...options);
        } catch {
          // Nothing was written.
        }
        throw error;
      }
      const result = original(target, ...rest);
      if (name === 'openSync' && inside(target)) files.add(result);
      return result;
    });
  replace(fs, 'closeSync', (original) => (file: number) => {
    files.delete(file);
    return original(file);
  });
  for (const name of deferred)
    replace(fs, name, (original) => (file: number, ...rest: Any[]) => {
      const error = next(name, file);
      if (error === undefined) return original(file, ...rest);
      if (name === 'write') writeSync(file, half(rest[0]));
      setImmediate(() => rest.at(-1)(error));
    });
  replace(fs.promises, 'open', (original) => async (path: string, ...rest: Any[]) => {
    const error = next('open', path);
    if (error !== undefined) throw error;
    const handle: FileHandle = await original(path, ...rest);
    if (inside(path))
      replace(handle, 'read', (read) => async (...given: Any[]) => {
        const failure = next('read', path);
        if (failure !== undefined) throw failure;
        return read.apply(handle, given);
      });
    return handle;
  });
  syncBuiltinESMExports();
  return {
    calls,
    restore() {
      for (const restoreOne of restorers.reverse()) restoreOne();
      syncBuiltinESMExports();
    },
  };
}
