import { UsageError } from '../runtime/carbon-error.ts';

/** Output formats: text for people, one JSON document per organization, CSV rows, or ids. */
export type Format = 'human' | 'json' | 'csv' | 'ids';

/** Every output format. */
export const everyFormat: readonly Format[] = ['human', 'json', 'csv', 'ids'];

/** The flags that every command accepts. */
export interface GlobalFlags {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly ids?: boolean;
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly sandbox?: boolean;
  /** The variable that selects the sandbox, unless the option does. */
  readonly sandboxFrom?: 'CARBON_SANDBOX';
  readonly debug?: boolean;
  readonly color?: boolean;
  readonly progress?: boolean;
}

/** Returns the output format that the flags select. */
export function readFormat(flags: GlobalFlags): Format {
  const formats = [
    ...(flags.json ? ['json' as const] : []),
    ...(flags.csv ? ['csv' as const] : []),
    ...(flags.ids ? ['ids' as const] : []),
  ];
  if (formats.length > 1) throw new UsageError('Use only one of --json, --csv and --ids');
  return formats[0] ?? 'human';
}
