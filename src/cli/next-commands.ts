/* The commands that a reader of a workbook can run next. */
import type { NextCommands } from '../portfolio/organizations/statements.ts';
import { fileWord } from './input-table.ts';
import { keepWords } from './options.ts';
import type { StoreView } from './read-snapshot.ts';
import type { Session } from './session.ts';

type View = Pick<StoreView, 'keep' | 'currency' | 'sheet' | 'at'> & {
  readonly unit?: string | undefined;
};

/**
 * Returns commands for the same records; undefined if they are from standard input.
 * @param view the options that chose them
 */
export function nextCommands(
  session: Session,
  files: readonly string[],
  { keep, currency, sheet, at, unit }: View,
): NextCommands | undefined {
  if (files.includes('-')) return undefined;
  const option = (name: string, value: string | undefined) =>
    value === undefined ? [] : [name, value];
  const words = [
    ...files.map(fileWord),
    ...option('--currency', currency),
    ...option('--sheet', sheet),
    ...keepWords(keep),
  ];
  return {
    check: session.commandLine('check', ...words),
    report: session.commandLine(
      'report',
      ...words,
      ...option('--at', at),
      ...option('--unit', unit),
    ),
  };
}
