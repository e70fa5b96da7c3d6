/*
 * Runs a command line from src/ without a build: `npm run dev -- get 1 --sandbox`. Vite removes the
 * types, because Node 20 cannot.
 */
import { join } from 'node:path';
import { createServer } from 'vite';
import { tableWithCellWidth } from './cell-width.js';

const server = await createServer({
  root: join(import.meta.dirname, '..'),
  configFile: false,
  plugins: [tableWithCellWidth],
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const { main, realContext, Stopped } = await server.ssrLoadModule('/src/main.ts', {
  fixStacktrace: true,
});
const stop = new AbortController();
process.stdout.on('error', () => stop.abort(new Stopped('closed output')));
const context = realContext(process, stop.signal);
process.exitCode = await main(process.argv.slice(2), context);
context.release();
await server.close();
