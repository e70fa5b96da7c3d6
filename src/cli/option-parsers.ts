import { readDuration } from '../config/duration.ts';
import { UsageError } from '../runtime/carbon-error.ts';

/** Reads a whole number of a flag, within bounds. */
export function readCount(flag: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new UsageError(`${flag}: "${text}" is not a whole number from ${least} to ${most}`);
  };
}

/** Reads a positive number of a flag, such as requests per second. */
export function readRate(flag: string): (text: string) => number {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && value <= 1_000_000) return value;
    throw new UsageError(`${flag}: "${text}" is not a number above 0`);
  };
}

const minIntervalMs = 100;

/**
 * Reads the time between two checks, in milliseconds; too short a one would only load the service.
 */
export function readInterval(text: string): number {
  const ms = readDuration(text, '--interval');
  if (ms >= minIntervalMs) return ms;
  throw new UsageError(`--interval: "${text}" is shorter than ${minIntervalMs} ms`);
}
