/*
 * The connection to Redis or Valkey. It never queues commands while it is closed, ends each at its
 * time limit, and reconnects until it is closed.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import bucketScript from './bucket.lua?raw';
import type { PaceAddress } from './pace-address.ts';
import { type Bucket, PaceError, type Reply, type Report } from './shared-pacer.ts';

const maxCallMs = 1_000;
const maxConnectMs = 2_000;
const maxReconnectMs = 1_000;
const maxDisconnectMs = 50;

/** Operations with a limit of their own: a used-up quota of registrations never stops `get`. */
export type PacedOperation = 'register' | 'read';

/** The account whose limit is shared. */
export interface PacedAccount {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Connects one process to the bucket of an account and an operation. */
export class RedisBucket implements Bucket {
  readonly #redis: Redis;
  readonly #address: PaceAddress;
  readonly #keys: readonly [string, string];
  readonly #id = randomBytes(9).toString('base64url');
  #lastError: unknown;
  #login: Promise<unknown> | undefined;

  constructor(address: PaceAddress, account: PacedAccount, operation: PacedOperation) {
    this.#address = address;
    // The server learns neither the origin nor the key. The braces keep both keys on one node.
    const hash = createHash('sha256')
      .update(`${new URL(account.baseUrl).origin}\n${account.apiKey}`)
      .digest('hex');
    const key = `carbon:pace:{${hash}}:${operation}`;
    this.#keys = [key, `${key}:members`];
    const { host, port, path, hasTls } = address;
    this.#redis = new Redis({
      ...(path === undefined ? { host: host ?? '', port } : { path }),
      ...(hasTls ? { tls: {} } : {}),
      lazyConnect: true,
      protocol: 2,
      connectTimeout: maxConnectMs,
      commandTimeout: maxCallMs,
      // After a lost connection, the client would keep the process for 2 s.
      disconnectTimeout: maxDisconnectMs,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      // INFO and CLIENT need permissions that carbon does not.
      enableReadyCheck: false,
      disableClientInfo: true,
      retryStrategy: (attempts) => Math.min(maxReconnectMs, 50 * 2 ** attempts),
    });
    this.#redis.defineCommand('pace', { numberOfKeys: 2, lua: bucketScript });
    this.#redis.on('error', (error: unknown) => {
      this.#lastError = error;
    });
    this.#redis.on('ready', () => {
      this.#lastError = undefined;
      this.#login = this.#logIn();
      // `call` awaits and reports it.
      this.#login.catch(() => undefined);
    });
    this.#redis.on('close', () => {
      this.#login = undefined;
    });
  }

  /** Connects for the first time; a later call reports a failure. */
  async open(): Promise<void> {
    await this.#redis.connect().catch(() => undefined);
  }

  async call(report: Report): Promise<Reply> {
    let text: unknown;
    try {
      await this.#login;
      const { pace } = this.#redis as unknown as {
        pace(...given: readonly string[]): Promise<unknown>;
      };
      const body = JSON.stringify({ ...report, id: this.#id });
      text = await pace.call(this.#redis, ...this.#keys, body);
    } catch (error) {
      throw this.#explain(this.#lastError ?? error);
    }
    const reply = readReply(text);
    if (reply === undefined) throw this.#error('the reply is not that of the script', false);
    return reply;
  }

  /** Closes the connection immediately. */
  close(): void {
    this.#redis.disconnect();
  }

  /* Logs in itself, because the library prints its own warnings about a login. */
  async #logIn(): Promise<void> {
    const { username, password, database } = this.#address;
    const login =
      password === undefined ? [] : username === undefined ? [password] : [username, password];
    await Promise.all([
      login.length > 0 ? this.#redis.call('AUTH', ...login) : undefined,
      database > 0 ? this.#redis.call('SELECT', database) : undefined,
    ]);
  }

  #error(clause: string, isConfiguration: boolean): PaceError {
    return new PaceError(`${this.#address.shown}: ${clause}`, isConfiguration);
  }

  #explain(error: unknown): PaceError {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const [, clause, isConfiguration = false] =
      causes.find(([pattern]) => pattern.test(`${code} ${message}`)) ?? [];
    return this.#error(clause ?? 'the server failed', isConfiguration);
  }
}

/* What the texts of the server and of its client mean, and whether waiting does not help. */
const causes: readonly (readonly [RegExp, string, boolean?])[] = [
  [/NOPERM|no permissions|can't run this command/, 'the user lacks a permission', true],
  [/WRONGPASS|NOAUTH|\bAUTH\b|invalid password/, 'the server refused the login', true],
  [/DB index|SELECT/, 'the server has no such database', true],
  [/Protocol error|Parser|RESP type/i, 'the response is not that of a Redis server', true],
  [/unknown command/i, 'the server cannot run scripts', true],
  [/READONLY/, 'the server is a read-only replica'],
  [/OOM/, 'the server is out of memory'],
  [/LOADING|MASTERDOWN|BUSY/, 'the server is not ready'],
  [/timed? ?out/i, `no response within ${maxCallMs} ms`],
  [/ECONNREFUSED/, 'connection refused'],
  [/ENOTFOUND|EAI_AGAIN/, 'host not found'],
  [/ENOENT/, 'no such socket'],
  [/certificate|SSL|TLS/i, 'the TLS connection failed'],
  [/closed|writeable|ended|EPIPE|ECONNRESET/i, 'the connection was closed'],
];

const numbers = ['members', 'edges', 'rate'] as const;
const optionalNumbers = ['count', 'first', 'retry', 'since', 'untilMs'] as const;

/* Returns undefined unless a reply has the form of the script's, because any server may answer. */
function readReply(text: unknown): Reply | undefined {
  let reply: Readonly<Record<string, unknown>>;
  try {
    reply = Object(JSON.parse(String(text)));
  } catch {
    return undefined;
  }
  const isValid =
    numbers.every((name) => Number.isFinite(reply[name]) && Number(reply[name]) >= 0) &&
    optionalNumbers.every((name) => reply[name] === undefined || Number.isFinite(reply[name])) &&
    Number(reply['members']) >= 1 &&
    typeof reply['exhausted'] === 'boolean';
  return isValid ? (reply as unknown as Reply) : undefined;
}
