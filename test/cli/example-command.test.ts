import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { Messages } from '../../src/cli/messages.ts';
import type { GlobalFlags } from '../../src/cli/options.ts';
import { Session } from '../../src/cli/session.ts';
import { plainStyle } from '../../src/display/terminal/style.ts';
import { realContext } from '../../src/runtime/context.ts';
import { expectDeclaredMembers } from '../support/declared-members.ts';
import { processWith } from '../support/program.ts';
import { jsonLines, newFolder } from '../support/run.ts';
import { industriesCommand } from './example-command.ts';

/* Runs the command, which the program does not have, on four records. */
async function industries(flags: GlobalFlags, known?: boolean): Promise<string> {
  const folder = newFolder();
  const records = join(folder, 'records.ndjson');
  const steel = '"industry":{"name":"Steel"}';
  const other = '"industry":{"name":"STEEL"}';
  const lines = [
    `"id":1,${steel}`,
    '"id":2',
    `"id":3,${steel},"sandbox":"synthetic"`,
    `"id":4,${other}`,
  ];
  writeFileSync(records, lines.map((line) => `{${line}}\n`).join(''));
  const written: string[] = [];
  const { signal } = new AbortController();
  const real = realContext(processWith({}, false, { stdin: Readable.from([]) }), signal);
  const stdout = { ...real.stdout, write: (part: string | Uint8Array) => written.push(`${part}`) };
  const context = { ...real, stdout, stderr: stdout, env: { HOME: folder } };
  const messages = await Messages.open(context, flags);
  const typed = { command: new Command('industries'), argv: [], readProfileFile: undefined };
  const session = new Session({ context, flags, messages, style: plainStyle, ...typed });
  const values = { known, out: undefined, keep: undefined, sheet: undefined };
  expect(await industriesCommand.run(session, [records], values, typed.command)).toBe(0);
  return written.join('');
}

describe('the command to copy', () => {
  it('counts the organizations of each industry', async () => {
    expect(await industries({})).toMatchInlineSnapshot(`
      "Steel	3	synthetic
      	1
      1 industry
      "
    `);
    expect(await industries({ csv: true }, true)).toMatchInlineSnapshot(`
      "industry,organizations,synthetic
      Steel,3,true
      1 industry
      "
    `);
    expect(await industries({ json: true })).toMatchInlineSnapshot(`
      "{"industry":"Steel","organizations":3,"synthetic":true}
      {"industry":null,"organizations":1,"synthetic":null}
      {"summary":{"industries":1}}
      "
    `);
  });

  it('prints the document that it declares', async () => {
    const documents = jsonLines(await industries({ json: true })).slice(0, -1);
    expect(documents).toHaveLength(2);
    expectDeclaredMembers(industriesCommand, documents);
  });
});
