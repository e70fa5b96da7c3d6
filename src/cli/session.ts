/* One run of one command: its global flags, its output format and its connection to the service. */
import { accessSync, constants } from 'node:fs';
import type { Command } from 'commander';
import type { ClientEvent, ServiceClient, ServiceOptions } from '../client/api/client.ts';
import { compactJson } from '../client/api/json-tokens.ts';
import type { RunEnvironment } from '../client/api/scheduler.ts';
import type { Stall } from '../client/pace/pacer.ts';
import { createDirectory, dataDirectory, type ReadFile } from '../config/profiles.ts';
import {
  type Access,
  findAccess,
  type KeySource,
  readSettings,
  readTimeout,
  requireAccess,
  type Settings,
} from '../config/settings.ts';
import { quoteWords } from '../display/terminal/sanitize.ts';
import { type RecordView, type Style, showsPictures } from '../display/terminal/style.ts';
import { CarbonError, UsageError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/server.ts';
import { changeLine, type LineChanges } from './command-line.ts';
import type { Messages, Notice } from './messages.ts';
import { type Format, type GlobalFlags, readFormat } from './options.ts';
import { escapeForTerminal, indentJson } from './output/json.ts';

/* Shorter stalls are common, and not reported. */
const minStallMs = 3_000;

interface TypedCommand {
  readonly command: Command;
  readonly argv: readonly string[];
}

export interface SessionOptions extends TypedCommand {
  readonly context: Context;
  readonly flags: GlobalFlags;
  readonly messages: Messages;
  readonly style: Style;
  /** What `loadStored` returns. */
  readonly readProfileFile: ReadFile | undefined;
}

export class Session {
  readonly context: Context;
  readonly flags: GlobalFlags;
  readonly format: Format;
  readonly messages: Messages;
  /** The numbers of the run; undefined before its end. */
  summary: object | undefined;
  live: { hide(): void } | undefined;
  readonly #style: Style;
  readonly #typed: TypedCommand;
  readonly #readProfileFile: ReadFile | undefined;
  #closing: (() => Promise<void>)[] = [];
  #synthetic = false;
  #account: Access | undefined;
  #settings: Settings | undefined;
  #key: Promise<string> | undefined;
  readonly #reportRetry = this.reportWaits(2_000, 0);

  constructor({ context, flags, messages, style, readProfileFile, ...typed }: SessionOptions) {
    this.context = context;
    this.flags = flags;
    this.format = readFormat(flags);
    this.messages = messages;
    this.#style = style;
    this.#typed = typed;
    this.#readProfileFile = readProfileFile;
  }

  /** Whether a terminal can show bars. */
  get showsPictures(): boolean {
    return showsPictures(this.context);
  }

  get view(): RecordView {
    const { columns, isTerminal } = this.context.stdout;
    const pictures = isTerminal && this.showsPictures;
    return { style: this.#style, columns, pictures, synthetic: this.#synthetic };
  }

  get isLive(): boolean {
    const { context, flags, messages } = this;
    return context.stderr.isAnimated && flags.progress !== false && messages.isForPeople;
  }

  /** Writes to standard output, in place of a live line until its next update. */
  print(text: string): void {
    if (text === '') return;
    if (this.context.stdout.isTerminal) this.live?.hide();
    this.context.stdout.write(text);
  }

  /** Returns the line of a text of JSON, or of an object. */
  jsonLine(json: string | object): string {
    const text = typeof json === 'string' ? json : JSON.stringify(json);
    if (this.context.stdout.isTerminal) return `${indentJson(escapeForTerminal(text))}\n`;
    return `${typeof json === 'string' ? compactJson(text) : text}\n`;
  }

  printJson(json: string): void {
    this.print(this.jsonLine(json));
  }

  summarize(notice: Notice, numbers: object): void {
    this.summary = numbers;
    this.messages.summarize(notice, numbers);
  }

  settings(): Settings {
    const { context, flags, messages } = this;
    const warn = (text: string) => messages.warn(text);
    this.#settings ??= readSettings(context, flags, warn, this.#readProfileFile);
    const { apiKey } = this.#settings;
    if (apiKey?.kind === 'key') messages.hide(apiKey.value);
    return this.#settings;
  }

  /**
   * Returns the key of a source, whose command runs at most once.
   * @throws as `readKey` of config does
   */
  readKey(source: KeySource): Promise<string> {
    const { messages } = this;
    this.#key ??= import('../config/read-key.ts').then(({ readKey }) =>
      readKey(this.context, source, {
        hide: (key) => messages.hide(key),
        reportErrorLine: (line) => messages.print({ level: 'failure', text: line }),
      }),
    );
    return this.#key;
  }

  async #readAccess(): Promise<Access> {
    const { baseUrl, key } = requireAccess(this.settings());
    // Only a file or a command needs the code that reads them.
    return { baseUrl, apiKey: key.kind === 'key' ? key.value : await this.readKey(key) };
  }

  /**
   * Returns the service and profile that a journal belongs to. The profile is `env` when the
   * environment defines both the key and the base URL.
   */
  identity(): { readonly service: string; readonly profile: string } {
    if (this.flags.sandbox) return { service: 'sandbox', profile: 'sandbox' };
    const { baseUrl, apiKey, profile } = this.settings();
    const isOfEnvironment = baseUrl?.from === 'CARBON_BASE_URL' && apiKey?.isStored === false;
    return { service: baseUrl?.value ?? '', profile: isOfEnvironment ? 'env' : profile.value };
  }

  /** Returns whether `connect` has a base URL and the source of a key for it. */
  hasAccess(): boolean {
    return this.flags.sandbox === true || !(findAccess(this.settings()) instanceof CarbonError);
  }

  /** Returns the service that a stored profile has access to; undefined without one. */
  serviceOfProfile(profile: string): string | undefined {
    try {
      const settings = readSettings(
        this.context,
        { profile },
        () => undefined,
        this.#readProfileFile,
      );
      return requireAccess(settings).baseUrl;
    } catch (error) {
      if (error instanceof CarbonError) return undefined;
      throw error;
    }
  }

  /**
   * Checks that `connect` has a base URL and the source of a key, without reading the key.
   * @throws as `requireAccess` does
   */
  checkAccess(): void {
    const { sandbox, baseUrl, profile } = this.flags;
    if (!sandbox) requireAccess(this.settings());
    else if ((baseUrl ?? profile) !== undefined) {
      const other = baseUrl === undefined ? '--profile' : '--base-url';
      throw new UsageError(`--sandbox cannot be combined with ${other}`);
    }
  }

  /**
   * Connects to the service, or starts the sandbox and connects to it.
   * @throws as `requireAccess` does
   */
  async connect(
    options: Pick<ServiceOptions, 'connections' | 'attempts' | 'isTextOnly'> & {
      readonly access?: Access;
    } = {},
  ): Promise<{ readonly client: ServiceClient }> {
    const { context } = this;
    const open = () => (this.flags.sandbox ? this.#startSandbox() : this.#readAccess());
    const access = options.access ?? this.#account ?? (await open());
    this.messages.hide(access.apiKey);
    this.#account = access;
    const { ServiceClient } = await import('../client/api/client.ts');
    const client = new ServiceClient({
      ...options,
      ...access,
      timeoutMs: readTimeout(context).value,
      signal: context.signal,
      clock: context.clock,
      random: context.random,
      env: context.env,
      openTransport: context.openTransport,
      onEvent: (event) => this.#log(event),
    });
    this.#closing.push(() => client.close());
    return { client };
  }

  get environment(): RunEnvironment {
    const { clock, random, signal } = this.context;
    return {
      clock,
      random,
      signal,
      onWait: this.reportWaits(2_000, 10_000),
      onStall: this.reportStalls(),
      onShare: this.reportShare(),
    };
  }

  async close(): Promise<void> {
    for (const end of this.#closing.reverse()) await end();
    this.#closing = [];
  }

  /** Returns `carbon <words>` with the options of this run that the command must repeat. */
  commandLine(...words: string[]): string {
    const line = this.quote('carbon', ...words);
    return [line, this.messages.repeated({ words })].filter(Boolean).join(' ');
  }

  quote(...words: string[]): string {
    return quoteWords(words, this.context.platform);
  }

  /** Returns the command line of this run with changes, quoted for a shell. */
  again(changes: LineChanges): string {
    const { command, argv } = this.#typed;
    return this.quote('carbon', ...changeLine(command, argv, changes));
  }

  async #startSandbox(): Promise<Access> {
    this.checkAccess();
    this.#synthetic = true;
    const { randomUUID } = await import('node:crypto');
    const sandbox = await this.openSandbox({ key: randomUUID() });
    return { baseUrl: sandbox.url, apiKey: sandbox.key };
  }

  /**
   * Starts the sandbox with the registrations in the data directory. Without a writable home
   * directory, as in many containers, it keeps them in memory and prints a warning.
   * @throws as `startSandbox` does
   */
  async openSandbox(options: Omit<SandboxOptions, 'clock' | 'dataDir'>): Promise<Sandbox> {
    const { context } = this;
    let dataDir = dataDirectory(context);
    // A directory that the user chose is used or fails.
    if (!context.env['CARBON_DATA_DIR'] && !isWritable(dataDir)) {
      dataDir = undefined;
      this.messages.warn(
        'The home directory is missing or not writable, so the sandbox loses its registrations when carbon exits. Set CARBON_DATA_DIR to another directory to keep them.',
      );
    }
    const { startSandbox } = await import('../sandbox/server.ts');
    const sandbox = await startSandbox({ ...options, clock: context.clock, dataDir });
    this.#closing.push(() => sandbox.close());
    return sandbox;
  }

  #log(event: ClientEvent): void {
    const { isDebugging } = this.messages;
    if (event.kind === 'request' && isDebugging)
      this.messages.debug(`> ${event.method} ${event.url} (attempt ${event.attempt})`);
    if (event.kind === 'response') {
      // The address may be that of `carbon sandbox`.
      if (event.synthetic) this.#synthetic = true;
      const { status, bytes, ms } = event;
      if (isDebugging) this.messages.debug(`< ${status}, ${bytes} bytes, ${Math.round(ms)} ms`);
    }
    if (event.kind === 'retry') this.#reportRetry(event.ms, event.error);
  }

  /**
   * Returns a function that reports, once for each stall of some seconds, why the service accepts
   * nothing, and until when carbon retries, in UTC.
   */
  reportStalls(): (stall: Stall, error: CarbonError) => void {
    let reported: number | undefined;
    return ({ since, until }, { message }) => {
      const { clock } = this.context;
      if (since === reported || clock.elapsed() - since < minStallMs) return;
      reported = since;
      const ends = Math.ceil((clock.now() + until - clock.elapsed()) / 60_000) * 60_000;
      const time = `${new Date(ends).toISOString().slice(11, 16)} UTC`;
      const text = `${message}. Retrying until ${time}, then stopping`;
      this.messages.print({ level: 'detail', text });
    };
  }

  /** Returns a function that reports, once, which share of the requests the service refuses. */
  reportShare(): (share: number, error: CarbonError) => void {
    let isReported = false;
    return (share, { message }) => {
      if (isReported) return;
      isReported = true;
      const refused = `about ${Math.round(100 * share)}% of the requests`;
      const text = `The service rejects ${refused} even at one request per second: ${message}. The run continues at this rate`;
      this.messages.print({ level: 'detail', text });
    };
  }

  /**
   * Returns a function that reports waits of a request that will be retried, but not every one:
   * several requests wait at the same time. The debug log has all of them.
   */
  reportWaits(minMs: number, everyMs: number): (ms: number, error: CarbonError) => void {
    let lastAt = Number.NEGATIVE_INFINITY;
    return (ms, error) => {
      const { clock } = this.context;
      this.messages.debug(`= ${error.message}`);
      if (ms < minMs || clock.elapsed() - lastAt < everyMs) return;
      lastAt = clock.elapsed();
      const text = `${error.message}; retrying in ${Math.ceil(ms / 100) / 10} s`;
      this.messages.print({ level: 'progress', text });
    };
  }
}

function isWritable(directory: string | undefined): boolean {
  if (directory === undefined) return false;
  try {
    createDirectory(directory, '');
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
