/* Finds the organization that someone means who typed its name for its ID. */
import { comparableId, type OrganizationId } from '../client/api/ids.ts';
import { foldText } from '../display/query/query.ts';
import { openOrganizationList } from '../lists/kept/listed-ids.ts';
import { findListsHere } from '../lists/kept/paths.ts';
import { CarbonError } from '../runtime/carbon-error.ts';

export interface NamedOrganization {
  readonly name: string;
  readonly id: OrganizationId;
  /** The first list that has it. */
  readonly list: string;
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

/* Yields the registered rows of a list that have a name. */
async function* organizationsOf(list: string, sandbox: boolean, signal: AbortSignal) {
  try {
    const { rows, service } = await openOrganizationList({ path: list, sandbox, signal });
    const isOfSandbox = service === 'sandbox';
    if (service === undefined || (sandbox && !isOfSandbox)) return;
    for await (const group of rows())
      for (const { id, values } of group)
        if (id !== undefined && values.name !== undefined)
          yield { name: values.name, id, list, service, isOfSandbox };
  } catch (error) {
    if (!(error instanceof CarbonError)) throw error;
  }
}
