import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { newFolder } from './run.ts';

/** Whether a Redis server is installed; the name of a skipped test states that it is not. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis server of one test, on a Unix socket. */
export interface TestRedis {
  /** URL for `--pace`. */
  readonly url: string;
  readonly socket: string;
  readonly process: ChildProcess;
  /** Runs a command with `redis-cli` and returns what it prints. */
  cli(...words: readonly string[]): string;
}

/** Starts a Redis server that ends with the test. */
export async function startRedis(
  options: { readonly socket?: string; readonly flags?: readonly string[] } = {},
): Promise<TestRedis> {
  const directory = newFolder();
  const socket = options.socket ?? join(directory, 'redis.sock');
  const flags = ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', directory];
  const server = spawn('redis-server', [...flags, ...(options.flags ?? [])], { stdio: 'ignore' });
  onTestFinished(() => void server.kill('SIGKILL'));
  while (!(await accepts(socket))) {
    if (server.exitCode !== null) throw new Error(`redis-server ended with ${server.exitCode}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const cli = (...words: readonly string[]) =>
    spawnSync('redis-cli', ['-s', socket, ...words], { encoding: 'utf8' }).stdout.trim();
  return { url: `unix://${socket}`, socket, process: server, cli };
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
