import { expect } from 'vitest';
import type { CommandDeclaration } from '../../src/cli/options.ts';

/** Checks that each document of --json has the members that the command declares, and no other. */
export function expectDeclaredMembers(
  { name, document = {} }: CommandDeclaration,
  documents: readonly object[],
): void {
  const declared = Object.keys(document).flatMap((names) => names.split(', '));
  for (const printed of documents) {
    const lacking = declared.find((member) => !(member in printed));
    const other = Object.keys(printed).find((member) => !declared.includes(member));
    expect(
      lacking,
      `carbon ${name} --json lacks \`${lacking}\`, which its \`document\` declares: print null, or remove it there`,
    ).toBeUndefined();
    expect(
      other,
      `carbon ${name} --json prints \`${other}\`, which its \`document\` does not declare: add it there`,
    ).toBeUndefined();
  }
}
