/*
 * Finds the organizations of the lists in this folder: the one that someone means who typed its
 * name for its ID, and the one with an ID that no service can be asked for.
 */
import { comparableId, type OrganizationId } from '../client/api/ids.ts';
import { foldText } from '../display/query/query.ts';
import { quoteWords } from '../display/terminal/sanitize.ts';
import { openOrganizationList } from '../lists/kept/listed-ids.ts';
import { chooseKept, findListsHere, findStores } from '../lists/kept/paths.ts';
import { CarbonError, UsageError } from '../runtime/carbon-error.ts';
import { command, type HintParts, hint } from '../runtime/hint.ts';
import { fileWord } from './input-table.ts';

export interface NamedOrganization {
  readonly name: string;
  readonly id: OrganizationId;
  /** The first list that has it. */
  readonly list: string;
  /** Whether the list has records. */
  readonly hasRecords: boolean;
  readonly isOfSandbox: boolean;
}

/**
 * Returns the only organization of the lists in this folder whose name is the text, or, without
 * one, begins with it; undefined if there is none, or several. Skips a list that cannot be read.
 * @param sandbox whether only the sandbox counts
 */
export async function findByName(
  text: string,
  { sandbox, signal }: { readonly sandbox: boolean; readonly signal: AbortSignal },
): Promise<NamedOrganization | undefined> {
  const typed = foldText(text);
  const equal = new Map<string, NamedOrganization>();
  const beginning = new Map<string, NamedOrganization>();
  for (const list of findListsHere())
    for await (const found of organizationsOf(list, sandbox, signal)) {
      const name = foldText(found.name);
      if (!name.startsWith(typed)) continue;
      const matching = name === typed ? equal : beginning;
      const key = `${comparableId(found.id)} ${found.service}`;
      if (!matching.has(key)) matching.set(key, found);
    }
  const [first, second] = (equal.size > 0 ? equal : beginning).values();
  return second === undefined ? first : undefined;
}

/**
 * Returns the error for a missing base URL, with the list in this folder that has the ID: its
 * record, and the service to ask.
 */
export async function explainNoService(
  error: unknown,
  id: string,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof UsageError) || error.code !== 'no_base_url') return error;
  for (const list of findListsHere())
    for await (const found of organizationsOf(list, false, signal)) {
      const { id: own, service, profile, isOfSandbox } = found;
      if (comparableId(own) !== comparableId(id)) continue;
      const get = command`get ${id}`;
      const ask = isOfSandbox
        ? hint`To ask the sandbox, which it is from: ${command`get ${id} --sandbox`}`
        : profile === 'env'
          ? hint`To ask its service: ${command`login --base-url ${service}`} (in scripts, set CARBON_BASE_URL=${service} and CARBON_API_KEY_FILE), then ${get}`
          : hint`To ask its service: ${command`login --base-url ${service}`}, then ${get}`;
      return new UsageError(error.message, [...describeFound(found), ...ask], error.code);
    }
  return error;
}

/** Says which list has an organization, and how to see its record without the service. */
export function describeFound({ name, id, list, hasRecords }: NamedOrganization): HintParts {
  const has = hint`${name} has the ID ${String(id)} in ${list}. `;
  const record = command`list ${quoteWords([fileWord(list)])} --where ${`id=${id}`}`;
  return hasRecords ? [...has, ...hint`Its record: ${record}. `] : has;
}

/* Yields the registered rows of a list that have a name. */
async function* organizationsOf(list: string, sandbox: boolean, signal: AbortSignal) {
  try {
    const opened = await openOrganizationList({ path: list, sandbox, signal });
    const { rows, service, profile } = opened;
    const hasRecords = findStores(list, chooseKept(list, { sandbox })).length > 0;
    const isOfSandbox = service === 'sandbox';
    if (service === undefined || (sandbox && !isOfSandbox)) return;
    for await (const group of rows())
      for (const { id, values } of group)
        if (id !== undefined && values.name !== undefined)
          yield { name: values.name, id, list, service, profile, hasRecords, isOfSandbox };
  } catch (error) {
    if (!(error instanceof CarbonError)) throw error;
  }
}
