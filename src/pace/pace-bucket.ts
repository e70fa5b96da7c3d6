/*
 * The contract between a process and the shared pace. `bucket-script.ts` is its other side. Times
 * are milliseconds of the server's clock unless a comment names another clock.
 */

/** Describes a refused request. */
export interface RefusedRequest {
  readonly at: number;
  /** Generation of the decision that permitted the request. */
  readonly gen: number;
  /** Time since the last accepted request of the same lease; -1 if there was none. */
  readonly gap: number;
  /** Time between two permits of the lease. */
  readonly spacing: number;
  /** Retry-After, 0 without one. */
  readonly wait: number;
}

/** Results of permits that only one process got. */
export interface SoloResults {
  readonly id: number;
  readonly results: readonly { readonly at: number; readonly passed: boolean }[];
}

/** What the server knew at the last call, to resume after it lost its data. */
export interface KnownPace {
  readonly mode: number;
  readonly rate: number;
  readonly gap: number;
  readonly edges: number;
}

/** Outcomes since the last call and the number of permits that the process wants. */
export interface PaceRequest {
  readonly want: number;
  /** Longest recent round trip to the service. */
  readonly rtt: number;
  /** Time from the server to the process. */
  readonly delay: number;
  /** Number of accepted requests. */
  readonly accepted: number;
  /** Time of sending the last of them; 0 without one. */
  readonly acceptedAt: number;
  /** Longest time between two permits of the leases of these requests. */
  readonly spacing: number;
  readonly refused: readonly RefusedRequest[];
  /** Requests that ended without reaching the limit. */
  readonly failed: number;
  /** Rate in the headers of the service, in requests per millisecond; 0 without one. */
  readonly advertised: number;
  /** How long the service accepts no request. */
  readonly stop: number;
  readonly solo?: SoloResults | undefined;
  readonly known?: KnownPace | undefined;
  /** Whether this is the last call of this process, which then leaves. */
  readonly leaves?: boolean;
}

/** The reply of the server. */
export interface PaceReply {
  /** Time of the server, as text because of its precision. */
  readonly now: string;
  readonly members: number;
  /** Whether the server knew nothing about the account. */
  readonly isNew: boolean;
  readonly gen: number;
  readonly exhausted: boolean;
  /** Requests per millisecond of all processes; undefined while no limit is known. */
  readonly rate?: number;
  /** Number of permits; undefined without any. */
  readonly count?: number;
  /** Time of the first permit, from `now`. */
  readonly first?: number;
  readonly spacing?: number;
  /** Whether a request may never be early, because the limit has no burst. */
  readonly isStrict?: boolean;
  /** Minimum time between two requests at such a limit. */
  readonly least?: number;
  /** Whether the lease directly follows the last one that this process got. */
  readonly isContinued?: boolean;
  /** Number of permits that only this process got; it must report their results. */
  readonly solo?: number;
  /** Number of permits that test for a burst; the process must report their results. */
  readonly probe?: number;
  /** Time until the next call for permits. */
  readonly retry?: number;
  /** Start and end of a refusal streak, from `now`. */
  readonly since?: number;
  readonly untilMs?: number;
  readonly known: KnownPace;
}

/** Hands out permits for one account and operation. */
export interface PaceBucket {
  /** @throws PaceError if the server cannot be used */
  call(request: PaceRequest): Promise<PaceReply>;
}

/** Explains in one clause why the shared pace cannot be used. */
export class PaceError extends Error {
  override readonly name = 'PaceError';
  /** Whether the address or the login is wrong, so that waiting does not help. */
  readonly isConfiguration: boolean;

  constructor(message: string, isConfiguration: boolean, cause: unknown) {
    super(message, { cause });
    this.isConfiguration = isConfiguration;
  }
}
