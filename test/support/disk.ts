import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { newFolder } from './run.ts';

/** Whether disks can be mounted at all: only root may, and a container may forbid it even then. */
export const isRoot = process.getuid?.() === 0 && process.platform === 'linux';

/**
 * Mounts a disk of its own with these options of tmpfs, until the test has finished; undefined
 * where that is forbidden.
 */
export function mountDisk(options: string): string | undefined {
  const folder = newFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}
