import { readDuration } from '../config/duration.ts';
import { UsageError } from '../runtime/carbon-error.ts';

/** Returns a parser for an integer within bounds. */
export function readCount(flag: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new UsageError(`${flag}: "${text}" is not a whole number from ${min} to ${max}`);
  };
}

/** Returns a parser for a positive number, such as requests per second. */
export function readRate(flag: string): (text: string) => number {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && value <= 1_000_000) return value;
    throw new UsageError(`${flag}: "${text}" is not a number greater than 0 and at most 1000000`);
  };
}

const minIntervalMs = 100;

/**
 * Parses the time between two checks, in milliseconds. A shorter one would only load the service.
 */
export function readInterval(text: string): number {
  const ms = readDuration(text, '--interval');
  if (ms >= minIntervalMs) return ms;
  throw new UsageError(`--interval: "${text}" is shorter than ${minIntervalMs} ms`);
}
