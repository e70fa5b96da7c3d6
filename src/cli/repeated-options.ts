/*
 * The options that commands in hints repeat, as the commands declare them. The build replaces this
 * module by its result, so that a run loads no other command for it.
 */
import {
  type CommandDeclaration,
  optionName,
  ownOptions,
  type RepeatedOption,
  type RepeatedOptions,
} from './options.ts';
import { loadDeclarations } from './program.ts';

export async function loadRepeatedOptions(): Promise<RepeatedOptions> {
  const declarations = await loadDeclarations();
  return Object.fromEntries(declarations.map((each) => [each.name, repeatedOptions(each)]));
}

function repeatedOptions(declaration: CommandDeclaration): RepeatedOption[] {
  const { service = [], explains = [] } = declaration;
  const keeps = ownOptions(declaration).some((option) => optionName(option) === '--keep');
  const ofService = service.filter((option) => !explains.includes(option));
  return keeps ? [...ofService, '--keep'] : ofService;
}
