import { constants, platform } from 'node:os';

const systemErrors: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  EBUSY:
    platform() === 'win32'
      ? 'another program, such as Excel, has the file open'
      : 'resource busy or locked',
  EEXIST: 'file exists',
  EROFS: 'read-only file system',
  ENAMETOOLONG: 'file name too long',
  ENOSPC: 'no space left on device',
  EDQUOT: 'disk quota exceeded',
};

/** Describes a system error with its code; returns the message of any other error. */
export function explainSystemError(error: unknown): string {
  const words = systemErrors[codeOf(error)];
  return words === undefined ? (error as Error).message : `${words} (${codeOf(error)})`;
}

/** Returns the code of a system error, such as `ENOSPC`; empty for any other error. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) return '';
  return isQuota(error) ? 'EDQUOT' : String(error.code);
}

/** Replaces the error for an exceeded disk quota, which Node calls `Unknown system error -122`. */
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
