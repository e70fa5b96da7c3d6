import { resolve } from 'node:path';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { Service, ToolContext } from '../../../mcp/tool.ts';
import { errorObject } from '../../errors.ts';
import {
  type CommandDeclaration,
  type GlobalFlags,
  type OptionGroups,
  type OptionValues,
  serviceOptions,
  serviceWords,
} from '../../options.ts';
import type { Session } from '../../session.ts';

const howItWorks = `
An MCP client starts this command and talks to it over standard input and
output; messages for people go to standard error. In a terminal, carbon prints
the configuration for a client instead.

Tools: get_organization, watch_organization (at most 45 s). --root adds
list_files, list_organizations, get_listed, report, diff and footprint; they
read no file outside the directory. --allow-register adds
register_organization, which costs quota and cannot be undone.`;

const options = {
  Options: [
    {
      flags: '--root <directory>',
      description: 'let tools read the lists and records in this directory',
    },
    { flags: '--allow-register', description: 'let tools register organizations' },
  ],
} as const satisfies OptionGroups;

type McpOptions = OptionValues<typeof options>;

export const mcpCommand: CommandDeclaration<typeof options> = {
  name: 'mcp',
  group: 'Developers',
  summary: 'Serve tools to an AI assistant over the Model Context Protocol',
  options,
  examples: ['carbon mcp --root ./records', 'carbon mcp --sandbox --allow-register'],
  notes: howItWorks,
  formats: ['human'],
  service: serviceOptions,
  async run(session, _, options) {
    if (session.context.stdin.isTTY) session.print(configuration(session.flags, options));
    else await serve(session, options);
    return 0;
  },
};

/*
 * Returns the configuration for an MCP client, in the form that most clients read. It contains no
 * API key: carbon reads the key from its profile or environment.
 */
function configuration(flags: GlobalFlags, { root, allowRegister }: McpOptions): string {
  const args = [
    'mcp',
    ...serviceWords(flags),
    ...(root ? ['--root', resolve(root)] : []),
    ...(allowRegister ? ['--allow-register'] : []),
  ];
  const servers = { mcpServers: { carbon: { command: 'carbon', args } } };
  const json = JSON.stringify(servers, undefined, 2);
  return `An MCP client starts this command. Add this to the client's configuration:\n\n${json}\n`;
}

/* Serves one client over standard input and output until the input ends. */
async function serve(session: Session, { root, allowRegister }: McpOptions): Promise<void> {
  const { context, messages } = session;
  const [{ createServer, serveOverStdio }, { RootDirectory }] = await Promise.all([
    import('../../../mcp/server.ts'),
    import('../../../mcp/root-directory.ts'),
  ]);
  let service: Promise<Service> | undefined;
  const connect = async (): Promise<Service> => {
    const { client } = await session.connect();
    return { client, isSynthetic: () => session.view.synthetic };
  };
  const tools: ToolContext = {
    // After a failure, the next call connects again: a key may have been stored since.
    connect: () =>
      (service ??= connect().catch((error: unknown) => {
        service = undefined;
        throw error;
      })),
    root: root === undefined ? undefined : await RootDirectory.open(root),
    allowsRegistration: allowRegister ?? false,
    clock: context.clock,
    describeError: errorObject,
    log: (text) => messages.debug(text),
  };
  await serveOverStdio(
    () => createServer(tools, packageJson.version),
    context,
    (error) => messages.warn(`mcp: ${error.message}`),
  );
}
