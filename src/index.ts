/* The public API of the library. Everything else may change without notice. */

export type { ItemResult, SeriesOptions, WaitOptions } from './client/api/carbon-client.ts';
export { CarbonClient } from './client/api/carbon-client.ts';
export type { ClientEvent, ClientOptions, RetrieveOptions } from './client/api/client.ts';
export {
  NotFoundError,
  PendingError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from './client/api/errors.ts';
export { hasEnded } from './client/api/ids.ts';
export { type ReadRecord, readRecord } from './client/api/read-record.ts';
export type { RecordResponse } from './client/api/responses.ts';
export type { Items } from './client/api/scheduler.ts';
export type {
  Emissions,
  Organization,
  Performance,
  SbtiTarget,
  Scope3,
} from './client/api/schema.ts';
export { organizationSchema } from './client/api/schema.ts';
export { knownStatuses, ranks, scope3Categories } from './client/api/vocabulary.ts';
export type { Identifier, Registration } from './client/registration/fields.ts';
export { identifierSchema } from './client/registration/schema.ts';
export {
  chooseFactor,
  type FactorChoice,
  type FactorNeed,
  isUncovered,
} from './portfolio/footprint/factors/choose.ts';
export type {
  Boundary,
  Factor,
  FactorInputs,
  MethodOptions,
  Uncovered,
  UncoveredReason,
} from './portfolio/footprint/line-item.ts';
export {
  bothScopes,
  fieldOf,
  type ReportedEmissions,
  type ReportedFigure,
  readEmissions,
} from './portfolio/organizations/emissions.ts';
export { latestPerformance } from './portfolio/organizations/history.ts';
export {
  CarbonError,
  type CarbonErrorCode,
  type CarbonErrorReason,
  InvalidInputError,
  type RateLimit,
} from './runtime/carbon-error.ts';
