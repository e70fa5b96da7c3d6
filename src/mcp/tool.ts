/* Defines what a tool is, and turns its result or failure into the result of a call. */
import type { CallToolResult, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type * as z from 'zod/mini';
import type { ServiceClient } from '../api/client.ts';
import { toJsonSchema } from '../api/json-schema.ts';
import { type CarbonError, invalidInput, toCarbonError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { sanitize } from '../terminal/sanitize.ts';
import type { OrganizationTable } from './list-tool.ts';
import type { RootDirectory } from './root-directory.ts';

/** A connection to the service. */
export interface Service {
  readonly client: ServiceClient;
  /** Returns whether the service has sent synthetic records. */
  isSynthetic(): boolean;
}

/** What the tools use of the command. */
export interface ToolContext {
  /** Connects to the service at the first call. */
  connect(): Promise<Service>;
  /** Directory of the files that tools may read; undefined for none. */
  readonly root: RootDirectory | undefined;
  /** The columns of `list_organizations`. */
  readonly organizations: OrganizationTable;
  readonly allowsRegistration: boolean;
  readonly clock: Clock;
  /** Returns the members of a failure that the caller sees, such as code and hint. */
  describeError(error: CarbonError): object;
  /** Writes a line to the debug log. */
  log(text: string): void;
}

/** A tool. */
export interface Tool<Input extends z.ZodMiniType = z.ZodMiniType> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /** Whether a call changes nothing in the service. */
  readonly isReadOnly: boolean;
  /** Returns the structured result; its text may still be untrusted. */
  run(input: z.output<Input>, signal: AbortSignal): Promise<object>;
}

/** Checks the type of a tool, and forgets the type of its input. */
export function defineTool<Input extends z.ZodMiniType>(tool: Tool<Input>): Tool {
  return tool as Tool;
}

/** Returns the schema in the form that the SDK expects; `zod/mini` itself lacks the JSON Schema. */
export function standardSchema<Schema extends z.ZodMiniType>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const json = () => JSON.parse(JSON.stringify(toJsonSchema(schema)), leaveOut);
  // `callTool` checks arguments, because the SDK has an error object of its own.
  const validate = (value: unknown) => ({ value });
  const standard = { ...schema['~standard'], validate, jsonSchema: { input: json, output: json } };
  return { '~standard': standard } as ReturnType<typeof standardSchema<Schema>>;
}

/*
 * Each definition costs the assistant tokens in every dialog; `callTool` checks these limits, too.
 */
const leftOut = ['$schema', 'minItems', 'maxItems', 'minLength', 'minimum', 'pattern'];

function leaveOut(name: string, value: unknown): unknown {
  if (leftOut.includes(name)) return undefined;
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isEmpty && name === 'additionalProperties' ? undefined : value;
}

/**
 * Runs a tool and returns the result of the call. A failure becomes a result with `isError`, which
 * the caller can read and correct.
 * @throws the reason of the signal when the caller cancels the call
 */
export async function callTool(
  tool: Tool,
  input: unknown,
  signal: AbortSignal,
  { describeError, log, root }: ToolContext,
): Promise<CallToolResult> {
  try {
    const { value, omitted } = toPlainValue(await tool.run(checkInput(tool, input), signal));
    const structured = { ...(value as object), ...(omitted > 0 ? { omitted } : {}) };
    log(`mcp: ${tool.name} succeeded`);
    return { content: [textOf(structured)], structuredContent: structured };
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toCarbonError(thrown);
    log(`mcp: ${tool.name} failed: ${error.message}`);
    const { value } = toPlainValue({ error: withoutCommands(tool, describeError(error)) });
    const plain = JSON.stringify(value).replaceAll(root?.prefix ?? '\0', '');
    const text = nameArguments(plain, argumentsOf(tool));
    return { content: [{ type: 'text', text }], isError: true };
  }
}

function argumentsOf({ input }: Tool): readonly string[] {
  return Object.keys((input as z.ZodMiniObject).shape);
}

function checkInput(tool: Tool, input: unknown): unknown {
  const checked = tool.input.safeParse(input ?? {});
  if (checked.success) return checked.data;
  const problems = checked.error.issues.map((issue) => {
    const name = issue.path.join('.');
    if (issue.code === 'unrecognized_keys')
      return `unknown argument ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
    return name === '' ? issue.message : `${name}: ${issue.message}`;
  });
  const known = argumentsOf(tool).join(', ');
  throw invalidInput(
    problems.join('; '),
    known === '' ? 'The tool has no arguments.' : `Arguments: ${known}.`,
  );
}

/* An assistant has tools instead of a shell. */
function withoutCommands(tool: Tool, error: object): object {
  const { hint = '', ...others } = error as { readonly hint?: string };
  if (!/\bcarbon [a-z]/.test(hint)) return error;
  const hasFiles = argumentsOf(tool).includes('files');
  return hasFiles
    ? { ...others, hint: 'Choose a file of list_files; a list needs has_records.' }
    : others;
}

/* Messages name options, such as --amounts-in; the caller has the arguments of the same names. */
function nameArguments(text: string, names: readonly string[]): string {
  return text.replace(/--([a-z][a-z-]*)/g, (option, name: string) => {
    const argument = name.replaceAll('-', '_');
    return names.includes(argument) ? argument : option;
  });
}

/* Callers that do not read structured content receive the same as text. */
function textOf(value: unknown): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: JSON.stringify(value) };
}

/* A real record stays far below these limits. */
const maxDepth = 24;
const maxTextLength = 4_000;
const maxValues = 20_000;

/**
 * Returns a JSON value whose text, including the names of members, contains no control or invisible
 * character, because these could hide instructions from the person who reads along.
 *
 * `omitted` counts what is beyond the limits: text after 4,000 characters, values below the 24th
 * level, and values after the first 20,000.
 */
export function toPlainValue(value: unknown): {
  readonly value: unknown;
  readonly omitted: number;
} {
  let [values, omitted] = [0, 0];
  const text = (given: string) => {
    if (given.length > maxTextLength) omitted += 1;
    return sanitize(given.slice(0, maxTextLength));
  };
  const plain = (part: unknown, depth: number): unknown => {
    values += 1;
    if (typeof part === 'string') return text(part);
    // Sums of fractions err in the 16th digit.
    if (typeof part === 'number' && !Number.isInteger(part)) return Number(part.toPrecision(15));
    if (typeof part !== 'object' || part === null) return part;
    if (depth >= maxDepth) {
      omitted += 1;
      return null;
    }
    const items = Array.isArray(part) ? [...part.entries()] : Object.entries(part);
    const kept: [string | number, unknown][] = [];
    for (const [name, item] of items) {
      if (values >= maxValues) {
        omitted += items.length - kept.length;
        break;
      }
      kept.push([typeof name === 'string' ? text(name) : name, plain(item, depth + 1)]);
    }
    return Array.isArray(part) ? kept.map(([, item]) => item) : Object.fromEntries(kept);
  };
  return { value: plain(value, 0), omitted };
}
