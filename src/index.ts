/* The public library surface. Everything else may change without notice. */

export type { Received } from './api/answer.ts';
export { CarbonClient, type ClientEvent, type ClientOptions, type RetrieveOptions } from './api/client.ts';
export type { RetryPolicy } from './api/retry.ts';
export type { Clock } from './clock.ts';
export * from './contract.ts';
export {
  CarbonError,
  type ErrorCode,
  type ErrorDetails,
  type ErrorObject,
  LocalError,
  NotFoundError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
  UsageError,
} from './errors.ts';
export { type ReadRecord, readRecord } from './read-record.ts';
export { hasEnded } from './status.ts';
