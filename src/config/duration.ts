import { UsageError } from '../runtime/carbon-error.ts';

const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Reads a duration such as `500ms`, `30s`, `10m`, `1h30m`, `2d` or `0` in milliseconds.
 * @param where what the value was given for, such as `--timeout`, for the error
 */
export function readDuration(text: string, where: string): number {
  const given = text.trim();
  if (given === '0') return 0;
  if (/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(given)) {
    const parts = [...given.matchAll(/([\d.]+)(\D+)/g)];
    const ms = parts.reduce(
      (sum, [, amount, unit]) => sum + Number(amount) * (unitsMs[unit ?? ''] ?? 0),
      0,
    );
    if (Number.isFinite(ms)) return ms;
  }
  throw new UsageError(
    `${where}: "${text}" is not a duration`,
    'Durations are written like 30s, 10m or 1h.',
  );
}

/** Writes milliseconds as `readDuration` reads them, in the largest unit that needs no fraction. */
export function writeDuration(ms: number): string {
  const [unit = 'ms', size = 1] =
    Object.entries(unitsMs)
      .reverse()
      .find(([, size]) => ms % size === 0) ?? [];
  return ms === 0 ? '0' : `${ms / size}${unit}`;
}
