/*
 * The configuration file with the stored profiles: conf reads and writes it, and a schema says what
 * it may contain. Only runs that use a stored profile load this file.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Conf from 'conf';
import * as z from 'zod/mini';
import { explainSystemError, LocalError } from '../runtime/carbon-error.ts';
import { command, type Hint, hint } from '../runtime/hint.ts';

const text = z.optional(z.string());

const fileSchema = z.looseObject({
  version: z.literal(1),
  profiles: z.record(z.string(), z.looseObject({ baseUrl: text, apiKey: text, keyCommand: text })),
});

type StoredFile = z.infer<typeof fileSchema>;

/**
 * Reads the profiles of a file that exists.
 * @throws LocalError if it cannot be read, is not JSON, or has another format; never with its text
 */
export function readProfileFile(file: string): StoredFile['profiles'] {
  const { data, error } = fileSchema.safeParse(open(file).store);
  if (error === undefined) return data.profiles;
  const [issue] = error.issues;
  const where = issue?.path.length ? `: see ${issue.path.join('.')}` : '';
  throw invalid(
    file,
    `does not have the format of this version of carbon${where}`,
    hint`Update carbon, fix the file, or remove it and run ${command`login`} again.`,
  );
}

/** Replaces the profiles of a file, which only its owner can read then. */
export function writeProfileFile(file: string, profiles: Readonly<Record<string, object>>): void {
  open(file).store = { version: 1, profiles };
}

function open(file: string): Conf<Record<string, unknown>> {
  try {
    return new Conf({
      cwd: dirname(file),
      configName: basename(file, '.json'),
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
  } catch (cause) {
    if (!(cause instanceof SyntaxError))
      throw invalid(file, `cannot be read: ${explainSystemError(cause)}`, 'Check its permissions.');
    // The message of a syntax error quotes the file with its keys.
    const line = lineOf(cause, readFileSync(file, 'utf8'));
    throw invalid(
      file,
      `is not JSON: see line ${line}`,
      hint`Fix line ${String(line)}, or remove the file and run ${command`login`} again.`,
    );
  }
}

/* Returns the line of a syntax error: its message has the position unless the text ends early. */
function lineOf({ message }: SyntaxError, json: string): number {
  const end = json.trimEnd().length;
  const position = Math.min(Number(/ position (\d+)/.exec(message)?.[1] ?? end), end);
  return json.slice(0, position).split('\n').length;
}

function invalid(file: string, problem: string, remedy: Hint): LocalError {
  return new LocalError(`The configuration file ${file} ${problem}`, { hint: remedy });
}
