import { readDuration } from '../config/settings.ts';
import { invalidInput, UsageError } from '../runtime/carbon-error.ts';
import type { ArgumentSpec, OptionSpec } from './declaration.ts';
import type { Session } from './session.ts';

export function readCount(flag: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new UsageError(`${flag}: "${text}" is not a whole number from ${min} to ${max}`);
  };
}

export function readRate(flag: string): (text: string) => number {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && value <= 1_000_000) return value;
    throw new UsageError(`${flag}: "${text}" is not a number greater than 0 and at most 1000000`);
  };
}

const minIntervalMs = 100;

export function readInterval(text: string): number {
  const ms = readDuration(text, '--interval');
  if (ms >= minIntervalMs) return ms;
  throw new UsageError(`--interval: "${text}" is shorter than ${minIntervalMs} ms`);
}

/**
 * Returns the currency of the figures: from the flag or CARBON_CURRENCY. Undefined leaves the
 * choice to the service.
 */
export async function readCurrency(
  { context }: Session,
  flag: string | undefined,
  name = '--currency',
): Promise<string | undefined> {
  const given = flag ?? (context.env['CARBON_CURRENCY'] || undefined);
  if (given === undefined) return undefined;
  const { checkCurrency } = await import('../registration/iso-codes.ts');
  const checked = checkCurrency(given);
  if ('code' in checked) return checked.code;
  const from = flag === undefined ? 'CARBON_CURRENCY' : name;
  const hint = checked.meant
    ? `Did you mean ${checked.meant}?`
    : 'Use a code such as EUR, USD or CHF.';
  throw invalidInput(`${from}: "${given}" ${checked.problem}`, hint);
}

/** The option that names a file for the numbers of the run, which `main` writes. */
export const metricsOption: OptionSpec = {
  flags: '--metrics-file <file>',
  description: 'write the numbers of the run for Prometheus: run.prom',
  parse(path) {
    if (path.endsWith('.prom')) return path;
    const hint = path.endsWith('.json')
      ? 'With --json, the last line is the summary.'
      : 'node_exporter reads only files that end in .prom.';
    throw new UsageError('--metrics-file: the name must end in .prom', hint);
  },
};

export const currencyOption: OptionSpec = {
  flags: '--currency <code>',
  description: 'ISO 4217 currency of revenue and emission factors, such as EUR',
  values: currencies,
};

export async function currencies(): Promise<readonly string[]> {
  return (await import('../registration/iso-codes.ts')).currencyCodes();
}

export function readChoice<Word extends string>(
  flag: string,
  words: readonly Word[],
): (text: string) => Word {
  return (text) => {
    const word = words.find((each) => each === text);
    if (word !== undefined) return word;
    throw new UsageError(`${flag}: "${text}" is not one of ${words.join(', ')}`);
  };
}

export const recordFiles: ArgumentSpec = {
  term: '<file...>',
  description:
    'list that carbon sync keeps, records of get or watch --json, or - for standard input',
  values: 'files',
};

export const keepOption: OptionSpec = {
  flags: '--keep <dir>',
  description: 'directory of the journal and the records (default: that of the list)',
};

export function keepWords(directory: string | undefined): string[] {
  return directory === undefined ? [] : ['--keep', directory];
}

export const atOption: OptionSpec = {
  flags: '--at <date>',
  description: 'show a list at the end of this day (UTC), 2026-10-01',
  parse: readDay('--at'),
};

export function readDay(flag: string): (text: string) => string {
  return (text) => {
    const day = new Date(text);
    const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime());
    if (isDay && day.toISOString().startsWith(text)) return text;
    throw new UsageError(`${flag}: "${text}" is not a date`, 'Write a date such as 2026-10-01.');
  };
}

export function outOption(formats: string): OptionSpec {
  return { flags: '-o, --out <file>', description: `write the result to a file: ${formats}` };
}
