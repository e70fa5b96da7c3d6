/* A scratch directory with `carbon` in its path, and the processes that a check starts there. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const carbon = resolve(import.meta.dirname, '../../bin/carbon.cjs');
/* Maximum time until a process is ready or a batch has ended, in milliseconds. */
const maxWaitMs = 90_000;

/** A scratch directory; `close` ends its processes and removes it. */
export class Scratch {
  folder = mkdtempSync(join(tmpdir(), 'carbon-engines-'));
  /** @type {import('node:child_process').ChildProcess[]} */
  #children = [];
  /** @type {Record<string, string>} */
  env;

  constructor() {
    chmodSync(this.folder, 0o755);
    const bin = join(this.folder, 'bin');
    mkdirSync(bin);
    const script = `#!/bin/sh\nexec '${process.execPath}' '${carbon}' "$@"\n`;
    writeFileSync(join(bin, 'carbon'), script, { mode: 0o755 });
    this.env = { PATH: `${bin}:${process.env['PATH']}:/usr/sbin`, HOME: this.folder };
  }

  /**
   * Writes a list of suppliers into a directory of its own.
   *
   * @param {string} name
   * @param {number} rows
   */
  writeSuppliers(name, rows) {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    const file = join(folder, 'suppliers.csv');
    const names = Array.from({ length: rows }, (_, at) => `Supplier ${at} of ${name}`);
    writeFileSync(file, `name\n${names.join('\n')}\n`);
    return { folder, file };
  }

  /**
   * Starts a process that runs until `close`.
   *
   * @param {string} program
   * @param {readonly string[]} argv
   * @param {Record<string, string>} [env]
   */
  start(program, argv, env = {}) {
    const output = openSync(join(this.folder, `${program}.out`), 'a');
    const child = spawn(program, argv, {
      env: { ...this.env, ...env },
      stdio: ['ignore', output, output],
    });
    child.on('error', () => undefined);
    this.#children.push(child);
    return child;
  }

  /**
   * Runs a program to its end.
   *
   * @param {string} program
   * @param {readonly string[]} argv
   * @param {Record<string, string>} [env]
   * @param {string} [cwd]
   */
  run(program, argv, env = {}, cwd = this.folder) {
    return spawnSync(program, argv, { env: { ...this.env, ...env }, cwd, encoding: 'utf8' });
  }

  /**
   * Runs a command line of a document in a shell and returns its exit code and output.
   *
   * @param {string} line
   * @param {Record<string, string>} env
   * @param {string} cwd
   */
  async shell(line, env, cwd) {
    const child = spawn('bash', ['-c', line], { env: { ...this.env, ...env }, cwd });
    this.#children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    const [exit] = await once(child, 'close');
    return { exit, output };
  }

  /**
   * Waits until a condition holds.
   *
   * @param {string} what
   * @param {() => boolean | Promise<boolean>} holds
   */
  async until(what, holds) {
    for (const endAt = Date.now() + maxWaitMs; Date.now() < endAt; await sleep(100))
      if (await holds()) return;
    throw new Error(`${what}: not ready after ${maxWaitMs / 1000} s`);
  }

  /** Returns a port that is free at the moment. */
  async freePort() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    server.close();
    return port;
  }

  async close() {
    for (const child of this.#children.reverse()) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      const timer = setTimeoutKill(child);
      await once(child, 'exit');
      clearTimeout(timer);
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param {import('node:child_process').ChildProcess} child */
function setTimeoutKill(child) {
  return setTimeout(() => child.kill('SIGKILL'), 5_000);
}
