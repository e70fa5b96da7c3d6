import { signalExits } from './exit-codes.ts';

/** Row of the exit-code table. */
export interface ExitCode {
  readonly code: number;
  readonly name: string;
  readonly meaning: string;
}

/**
 * Every exit code of `carbon`: the source of `carbon help exit-codes` and of the reference.
 */
export const exitCodes = [
  { code: 0, name: 'success', meaning: 'the command did everything that you requested' },
  { code: 1, name: 'failure', meaning: 'a local failure (such as a file or the disk) or a bug' },
  {
    code: 2,
    name: 'usage error',
    meaning: 'the command line or the input is invalid; nothing was sent',
  },
  { code: 3, name: 'refused', meaning: 'the service refused the data (400, 422)' },
  {
    code: 4,
    name: 'unauthorized',
    meaning:
      'there is no API key, the service rejected it (401, 403), or payment is required (402)',
  },
  {
    code: 5,
    name: 'not found',
    meaning: 'the organization, or the path of carbon api, does not exist (404)',
  },
  {
    code: 6,
    name: 'unavailable',
    meaning:
      'rate limit, failing service, unreadable response, network failure or timeout, after retries',
  },
  { code: 7, name: 'errored', meaning: 'research ended with the status errored' },
  {
    code: 8,
    name: 'pending',
    meaning: 'research was still in progress at --timeout, or batch --state found rows left',
  },
  {
    code: 9,
    name: 'partial failure',
    meaning: 'the command finished, but some items failed, or they failed with different codes',
  },
  { code: 10, name: 'differences found', meaning: 'diff found differences' },
  {
    code: signalExits.SIGHUP,
    name: 'SIGHUP',
    meaning: 'terminated by SIGHUP (128 + 1)',
  },
  { code: signalExits.SIGINT, name: 'SIGINT', meaning: 'terminated by Ctrl-C (128 + 2)' },
  {
    code: signalExits.SIGTERM,
    name: 'SIGTERM',
    meaning: 'terminated by SIGTERM (128 + 15)',
  },
] as const satisfies readonly ExitCode[];
