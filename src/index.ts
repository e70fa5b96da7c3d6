/* The public library surface. Everything else may change without notice. */

export type { Received } from './api/answer.ts';
export { CarbonClient } from './api/carbon-client.ts';
export type { ClientEvent, ClientOptions, RetrieveOptions } from './api/client.ts';
export {
  NotFoundError,
  PendingError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
} from './api/errors.ts';
export type { RetryPolicy } from './api/retry.ts';
export type { WaitOptions } from './api/wait.ts';
export * from './contract.ts';
export {
  CarbonError,
  type CarbonErrorCode,
  type CarbonErrorReason,
  InvalidInputError,
  type RateLimit,
} from './errors.ts';
export { type ReadRecord, readRecord } from './read-record.ts';
export { hasEnded } from './status.ts';
