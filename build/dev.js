/*
 * Runs a command line from src/ without a build: `npm run dev -- get 1 --sandbox`. Vite removes the
 * types, because Node 20 cannot.
 */
import { join } from 'node:path';
import { createServer } from 'vite';

const server = await createServer({
  root: join(import.meta.dirname, '..'),
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const { main, realContext } = await server.ssrLoadModule('/src/main.ts', { fixStacktrace: true });
const context = realContext(process, new AbortController().signal);
process.exitCode = await main(process.argv.slice(2), context);
context.release();
await server.close();
