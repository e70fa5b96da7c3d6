import { UsageError } from '../runtime/carbon-error.ts';

const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Parses a duration such as `500ms`, `30s`, `10m`, `1h30m`, `2d` or `0` to milliseconds.
 * @param where source of the value for the error, such as `--timeout`
 */
export function readDuration(text: string, where: string): number {
  const duration = text.trim();
  if (duration === '0') return 0;
  if (/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(duration)) {
    const parts = [...duration.matchAll(/([\d.]+)(\D+)/g)];
    const ms = parts.reduce(
      (sum, [, amount, unit]) => sum + Number(amount) * (unitsMs[unit ?? ''] ?? 0),
      0,
    );
    if (Number.isFinite(ms)) return ms;
  }
  throw new UsageError(
    `${where}: "${text}" is not a duration`,
    'Write a duration such as 30s, 10m or 1h.',
  );
}
