import { signalExits } from './exit-codes.ts';

/** One row of the exit-code table. */
export interface ExitCode {
  readonly code: number;
  readonly name: string;
  readonly meaning: string;
}

/**
 * Every exit code of `carbon`: the one source of `carbon help exit-codes` and of the README's
 * table.
 */
export const exitCodes = [
  { code: 0, name: 'done', meaning: 'everything that was asked for was done' },
  { code: 1, name: 'failure', meaning: 'a local failure (a file, the disk) or a bug' },
  {
    code: 2,
    name: 'usage',
    meaning: 'the command line or the input is invalid; nothing was sent',
  },
  { code: 3, name: 'refused', meaning: 'the service refused the data (400, 422)' },
  {
    code: 4,
    name: 'unauthorized',
    meaning: 'there is no API key, the service refused it (401, 403), or it wants a payment (402)',
  },
  { code: 5, name: 'not found', meaning: 'the service knows no such organization (404)' },
  {
    code: 6,
    name: 'try later',
    meaning:
      'too many requests, a failing service, an unreadable response, the network or a timeout, after retries',
  },
  { code: 7, name: 'errored', meaning: 'research ended with the status errored' },
  { code: 8, name: 'pending', meaning: 'research was still in progress at --timeout' },
  {
    code: 9,
    name: 'partly',
    meaning: 'finished, but some items failed, or items failed in several ways',
  },
  { code: 10, name: 'different', meaning: 'diff found differences' },
  {
    code: signalExits.SIGHUP,
    name: 'SIGHUP',
    meaning: 'ended by the signal, as its shell sees it',
  },
  { code: signalExits.SIGINT, name: 'SIGINT', meaning: 'ended by Ctrl-C, as its shell sees it' },
  {
    code: signalExits.SIGTERM,
    name: 'SIGTERM',
    meaning: 'ended by the signal, as its shell sees it',
  },
] as const satisfies readonly ExitCode[];
