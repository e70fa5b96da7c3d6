import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { newFolder } from './run.ts';

/** Whether the tests run as root on Linux, who may mount disks unless a container forbids it. */
export const isRoot = process.getuid?.() === 0 && process.platform === 'linux';

/** Mounts a tmpfs until the test ends; returns undefined where mounting is forbidden. */
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
