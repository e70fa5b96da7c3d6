import type { Command } from 'commander';
import type { Run, Session } from '../../session.ts';

interface McpOptions {
  readonly root?: string;
  readonly allowRegister?: boolean;
}

const howItWorks = `
An MCP client starts this command and speaks with it over standard input and
output; messages for people go to standard error. At a terminal, carbon prints
the configuration for a client instead.

Tools: get_organization, watch_organization (at most 45 s). --root adds
list_organizations, report, diff and footprint; they read no file outside the
directory. --allow-register adds register_organization, which costs quota and
cannot be undone.`;

/** Declares `carbon mcp`. The work is in serve.ts. */
export function addMcp(program: Command, run: Run): Command {
  return program
    .command('mcp')
    .description('Serve tools to an AI assistant over the Model Context Protocol')
    .option('--root <directory>', 'let tools read files of records below this directory')
    .option('--allow-register', 'let tools register organizations')
    .addHelpText('after', howItWorks)
    .action((options: McpOptions, command: Command) =>
      run(command, ['human'], (session) => mcp(session, options)),
    );
}

async function mcp(session: Session, { root, allowRegister = false }: McpOptions): Promise<number> {
  if (session.context.stdin.isTTY) {
    const { renderConfiguration } = await import('./configuration.ts');
    session.print(renderConfiguration(session.flags, { root, allowRegister }));
    return 0;
  }
  const { serve } = await import('./serve.ts');
  await serve(session, { root, allowRegister });
  return 0;
}
