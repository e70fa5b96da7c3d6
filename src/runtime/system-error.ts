/*
 * The errors of failed system calls, in words.
 */
import { constants } from 'node:os';

const systemErrors: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'it is not permitted',
  ENOENT: 'the system has no place for it',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'there is a file of this name',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
};

/** Says in words why the system refused, with its code; any other error as it is. */
export function explainSystemError(error: unknown): string {
  const words = systemErrors[codeOf(error)];
  return words === undefined ? (error as Error).message : `${words} (${codeOf(error)})`;
}

/** The code of a failed system call such as `ENOSPC`, empty for any other error. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) return '';
  return isQuota(error) ? 'EDQUOT' : String(error.code);
}

/**
 * Names an exceeded disk quota, which Node reports as `Unknown system error -122`.
 *
 * @returns the error itself when it is another one
 */
export function nameQuotaError(error: unknown): unknown {
  if (!(error instanceof Error && isQuota(error))) return error;
  const { syscall = 'write' } = error as NodeJS.ErrnoException;
  return Object.assign(new Error(`EDQUOT: disk quota exceeded, ${syscall}`), {
    code: 'EDQUOT',
    syscall,
  });
}

function isQuota(error: Error): boolean {
  const { code, errno } = error as NodeJS.ErrnoException;
  return code === 'EDQUOT' || errno === -constants.errno.EDQUOT;
}
