import packageJson from '../../../../package.json' with { type: 'json' };
import { RootDirectory } from '../../../mcp/root-directory.ts';
import { createServer } from '../../../mcp/server.ts';
import { serveOverStdio } from '../../../mcp/stdio.ts';
import type { Service, ToolContext } from '../../../mcp/tool.ts';
import { errorObject } from '../../errors.ts';
import type { Session } from '../../session.ts';
import type { McpFlags } from './configuration.ts';

/** Serves one client over standard input and output until the input ends. */
export async function serve(session: Session, { root, allowRegister }: McpFlags): Promise<void> {
  const { context, messages } = session;
  let service: Promise<Service> | undefined;
  const tools: ToolContext = {
    // After a failure, the next call connects again: a key may have been stored since.
    connect: () =>
      (service ??= connect(session).catch((error: unknown) => {
        service = undefined;
        throw error;
      })),
    root: root === undefined ? undefined : await RootDirectory.open(root),
    allowsRegistration: allowRegister,
    clock: context.clock,
    describeError: errorObject,
    log: (text) => messages.debug(text),
  };
  await serveOverStdio(() => createServer(tools, packageJson.version), {
    stdin: context.stdin,
    stdout: context.stdout,
    clock: context.clock,
    signal: context.signal,
    onError: (error) => messages.warn(`mcp: ${error.message}`),
  });
}

async function connect(session: Session): Promise<Service> {
  const { client } = await session.connect();
  return { client, isSynthetic: () => session.view.synthetic };
}
