import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CommandDeclaration, recordFiles } from '../../src/cli/options.ts';
import { loadDeclarations } from '../../src/cli/program.ts';
import { expectDeclaredMembers } from '../support/declared-members.ts';
import { jsonLines, newFolder, run } from '../support/run.ts';
import { notFound0, serve } from '../support/server.ts';
import { full } from './output/records.ts';

const declarations = await loadDeclarations();

/*
 * Prints the documents of a command that ends by itself, with every member that they can have. By
 * default, it gets a file of records, or an ID that the service knows.
 */
async function print({ name, arguments: [first] = [] }: CommandDeclaration): Promise<object[]> {
  const home = newFolder();
  const [older, newer] = [join(home, 'a.ndjson'), join(home, 'b.ndjson')];
  writeFileSync(older, '{"id":1,"name":"Acme","status":"synced","score":3}\n');
  writeFileSync(newer, '{"id":1,"name":"Acme","status":"synced","score":0.3}\n');
  writeFileSync(join(home, 'key'), 'secret\n');
  const { url, env } = await serve(name === 'login' ? notFound0 : { json: { ...full, id: 1 } });
  const usual = first === recordFiles ? [older] : first === undefined ? [] : ['1'];
  const operands: Readonly<Record<string, readonly string[]>> = {
    diff: [older, newer],
    login: ['--base-url', url, '--key-command', `cat '${join(home, 'key')}'`],
  };
  const { stdout } = await run([name, ...(operands[name] ?? usual), '--json'], { home, env });
  return jsonLines(stdout);
}

describe('the document of --json', () => {
  const declared = declarations.filter(({ name, document }) => document && name !== 'sandbox');
  it.each(declared)('of carbon $name has the members that it declares', async (declaration) => {
    const printed = await print(declaration);
    const advice = 'give it operands, or a service that it needs, in print() above';
    expect(printed.length, `carbon ${declaration.name} printed no document: ${advice}`).not.toBe(0);
    expectDeclaredMembers(declaration, printed);
  });
});
