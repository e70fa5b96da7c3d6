/* The public API of the library. Everything else may change without notice. */

export type { ItemResult, SeriesOptions, WaitOptions } from './api/carbon-client.ts';
export { CarbonClient } from './api/carbon-client.ts';
export type { ClientEvent, ClientOptions, RetrieveOptions } from './api/client.ts';
export {
  NotFoundError,
  PendingError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from './api/errors.ts';
export { hasEnded } from './api/ids.ts';
export { organizationSchema } from './api/json-schema.ts';
export { type ReadRecord, readRecord } from './api/read-record.ts';
export type { RecordResponse } from './api/responses.ts';
export type { Items } from './api/scheduler.ts';
export {
  type Emissions,
  knownStatuses,
  type Organization,
  type Performance,
  ranks,
  type SbtiTarget,
  type Scope3,
  scope3Categories,
} from './api/schema.ts';
export {
  chooseFactor,
  type FactorChoice,
  type FactorNeed,
  isUncovered,
} from './footprint/factors/choose.ts';
export type {
  Boundary,
  Factor,
  FactorInputs,
  MethodOptions,
  Uncovered,
  UncoveredReason,
} from './footprint/line-item.ts';
export {
  bothScopes,
  fieldOf,
  type ReportedEmissions,
  type ReportedFigure,
  readEmissions,
} from './organizations/emissions.ts';
export { latestPerformance } from './organizations/history.ts';
export type { Identifier, Registration } from './registration/fields.ts';
export { identifierSchema } from './registration/schema.ts';
export {
  CarbonError,
  type CarbonErrorCode,
  type CarbonErrorReason,
  InvalidInputError,
  type RateLimit,
} from './runtime/carbon-error.ts';
