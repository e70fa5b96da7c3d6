/** A rate limit as an answer's headers tell it. */
export interface RateLimit {
  /** Requests permitted per window. */
  readonly quota: number;
  readonly windowMs?: number;
  readonly remaining?: number;
  readonly resetMs?: number;
}
export function readRateLimit(
  headers: Record<string, string | undefined>,
  _now: number,
): RateLimit | undefined {
  const policy = headers['ratelimit-policy'];
  const now = headers['ratelimit'];
  if (!policy || !now) return undefined;
  const q = /q=(\d+)/.exec(policy)?.[1];
  const w = /w=([\d.]+)/.exec(policy)?.[1];
  const r = /r=(\d+)/.exec(now)?.[1];
  const t = /t=(\d+)/.exec(now)?.[1];
  return { quota: Number(q), windowMs: Number(w) * 1000, remaining: Number(r), resetMs: Number(t) * 1000 };
}
