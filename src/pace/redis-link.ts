/*
 * The connection to Redis or Valkey. It never queues commands while it is closed, ends each at its
 * time limit, and reconnects until it is closed.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Clock } from '../runtime/clock.ts';
import { bucketScript } from './bucket-script.ts';
import type { PaceAddress } from './pace-address.ts';
import { type PaceBucket, PaceError, type PaceReply, type PaceRequest } from './pace-bucket.ts';

/** Maximum time of one call, in turns of the event loop: a busy process must not blame Redis. */
const maxCallMs = 1_000;
const callTurns = 4;
/** Maximum time until the client forgets a command. */
const maxPendingMs = 5_000;
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

/** Returns the name of a bucket, which contains only a hash of the origin and the key. */
export function bucketKey({ baseUrl, apiKey }: PacedAccount, operation: PacedOperation): string {
  const hash = createHash('sha256')
    .update(`${new URL(baseUrl).origin}\n${apiKey}`)
    .digest('hex');
  // The braces keep all keys of an account on one node of a cluster.
  return `carbon:pace:{${hash}}:${operation}`;
}

/** Connects one process to a bucket. */
export class RedisLink implements PaceBucket {
  readonly #redis: Redis;
  readonly #address: PaceAddress;
  readonly #clock: Clock;
  readonly #keys: readonly [string, string];
  readonly #id = randomBytes(9).toString('base64url');
  readonly #number = randomBytes(4).readUInt32BE();
  #lastError: unknown;
  #login: Promise<unknown> | undefined;

  constructor(address: PaceAddress, key: string, clock: Clock) {
    this.#address = address;
    this.#clock = clock;
    this.#keys = [key, `${key}:members`];
    const { host, port, path, hasTls } = address;
    this.#redis = new Redis({
      ...(path === undefined ? { host: host ?? '', port } : { path }),
      ...(hasTls ? { tls: {} } : {}),
      lazyConnect: true,
      protocol: 2,
      connectTimeout: maxConnectMs,
      commandTimeout: maxPendingMs,
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

  /** Connects for the first time. */
  async open(): Promise<void> {
    try {
      await this.#redis.connect();
      await this.#login;
    } catch (error) {
      throw this.#explain(error);
    }
  }

  async call(request: PaceRequest): Promise<PaceReply> {
    try {
      await this.#inTime(this.#login);
      const body = JSON.stringify({ ...request, id: this.#id, number: this.#number });
      const { pace } = this.#redis as unknown as {
        pace(...given: readonly string[]): Promise<string>;
      };
      const reply = pace.call(this.#redis, ...this.#keys, body);
      return JSON.parse(await this.#inTime(reply)) as PaceReply;
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** Closes the connection immediately. */
  close(): void {
    this.#redis.disconnect();
  }

  #inTime<Value>(promise: Promise<Value> | Value): Promise<Value> {
    return new Promise((resolve, reject) => {
      let turns = 0;
      let cancel: () => void = () => undefined;
      const wait = () => {
        cancel = this.#clock.after(maxCallMs / callTurns, () => {
          turns += 1;
          if (turns < callTurns) wait();
          else reject(new Error('timeout'));
        });
      };
      wait();
      Promise.resolve(promise)
        .finally(() => cancel())
        .then(resolve, reject);
    });
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

  #explain(thrown: unknown): PaceError {
    const error = this.#lastError ?? thrown;
    const message = error instanceof Error ? error.message : String(error);
    const code = /^[A-Z]+(?= )/.exec(message)?.[0] ?? '';
    const [clause, isConfiguration] = this.#clause(error, message, code);
    return new PaceError(`${this.#address.shown}: ${clause}`, isConfiguration, undefined);
  }

  #clause(error: unknown, message: string, code: string): readonly [string, boolean] {
    const system = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (/^(WRONGPASS|NOAUTH)$/.test(code) || /\bAUTH\b|invalid password/.test(message))
      return ['the server refused the login', true];
    if (code === 'NOPERM')
      return ['the user lacks a permission that docs/shared-pace.md lists', true];
    if (/DB index|SELECT/.test(message)) return ['the server has no such database', true];
    if (/Protocol error|Parser|RESP type/i.test(message))
      return ['the response is not that of a Redis server', true];
    if (code === 'READONLY') return ['the server is a read-only replica', false];
    if (code === 'OOM') return ['the server is out of memory', false];
    if (code === 'LOADING' || code === 'MASTERDOWN' || code === 'BUSY')
      return ['the server is not ready', false];
    if (/timed? ?out/i.test(message)) return [`no response within ${maxCallMs} ms`, false];
    if (system === 'ECONNREFUSED') return ['connection refused', false];
    if (system === 'ENOTFOUND' || system === 'EAI_AGAIN') return ['host not found', false];
    if (system === 'ENOENT') return ['no such socket', false];
    if (/closed|writeable|ended|EPIPE|ECONNRESET/i.test(message))
      return ['the connection was closed', false];
    return [message.slice(0, 200), false];
  }
}
