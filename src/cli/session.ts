/*
 * One run of one command: its global flags, the form of its output, its connection to the service.
 */
import type { ClientEvent, ClientOptions, ServiceClient } from '../api/client.ts';
import type { Organization } from '../api/schema.ts';
import {
  type Access,
  readSettings,
  readTimeout,
  requireAccess,
  type Settings,
} from '../config/settings.ts';
import { type CarbonError, LocalError, outputError, UsageError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { quoteWords } from '../terminal/quote-words.ts';
import type { RecordView } from '../terminal/render-options.ts';
import { loadStyle, type Style } from '../terminal/style.ts';
import { errorObject } from './errors.ts';
import type { Messages } from './messages.ts';
import { compactJson, escapeForTerminal, indentJson } from './output/json.ts';

/** The forms of output: for people, one JSON document per organization, CSV rows, or ids only. */
export type Format = 'human' | 'json' | 'csv' | 'ids';

/** The flags that every command takes. */
export interface GlobalFlags {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly ids?: boolean;
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly sandbox?: boolean;
  readonly debug?: boolean;
  readonly color?: boolean;
  readonly progress?: boolean;
}

/** The form of output that the flags ask for. */
export function readFormat(flags: GlobalFlags): Format {
  const asked = [
    ...(flags.json ? ['json' as const] : []),
    ...(flags.csv ? ['csv' as const] : []),
    ...(flags.ids ? ['ids' as const] : []),
  ];
  if (asked.length > 1) throw new UsageError('--json, --csv and --ids exclude each other');
  return asked[0] ?? 'human';
}

/**
 * Resolves when everything on standard output was handed to its reader.
 * @throws LocalError when it takes nothing more
 */
export async function flush({ stdout, signal }: Context): Promise<void> {
  await stdout.flush().catch((cause: unknown) => {
    throw outputError(cause);
  });
  if (signal.reason instanceof LocalError) throw signal.reason;
}

/** The run of one command. `close` ends its connections. */
export class Session {
  readonly context: Context;
  readonly flags: GlobalFlags;
  readonly format: Format;
  readonly messages: Messages;
  readonly #style: Style;
  #closing: (() => Promise<void>)[] = [];
  #headed = false;
  #synthetic: boolean;

  private constructor(context: Context, flags: GlobalFlags, messages: Messages, style: Style) {
    this.context = context;
    this.flags = flags;
    this.format = readFormat(flags);
    this.messages = messages;
    this.#style = style;
    this.#synthetic = flags.sandbox === true;
  }

  static async open(context: Context, flags: GlobalFlags, messages: Messages): Promise<Session> {
    const level = flags.color === false ? 0 : context.stdout.colorLevel;
    return new Session(context, flags, messages, await loadStyle(level));
  }

  /** How standard output looks; `synthetic` as of the service that is open. */
  get view(): RecordView {
    const { columns, isTerminal } = this.context.stdout;
    return {
      style: this.#style,
      columns,
      terminal: isTerminal,
      synthetic: this.#synthetic,
    };
  }

  /** Whether something that moves may be shown on standard error. */
  get isLive(): boolean {
    const { context, flags, format, messages } = this;
    const isForPeople =
      format === 'human' || format === 'csv' || (format === 'json' && !messages.isJson);
    return context.stderr.isAnimated && flags.progress !== false && isForPeople;
  }

  /** Writes text to standard output. */
  print(text: string): void {
    this.context.stdout.write(text);
  }

  /** Writes one JSON document: one line in a pipe, indented and safe on a terminal. */
  printJson(json: string): void {
    const { terminal, style } = this.view;
    this.print(`${terminal ? indentJson(escapeForTerminal(json), style) : compactJson(json)}\n`);
  }

  /**
   * Writes the CSV row of a record, after the header when it is the first; without a record, the
   * header only.
   * @param leading columns before those of a record, by name
   */
  async printCsv(
    record?: Organization,
    leading: Readonly<Record<string, string | number | undefined>> = {},
  ): Promise<void> {
    const { renderCsvHeader, renderCsvRow } = await import('./output/csv.ts');
    if (!this.#headed) this.print(renderCsvHeader(Object.keys(leading)));
    this.#headed = true;
    if (record !== undefined) this.print(renderCsvRow(record, Object.values(leading)));
  }

  /** Writes a failed item of several: data in a JSON stream, else an error that names the item. */
  printFailure(error: CarbonError): void {
    if (this.format === 'json')
      this.printJson(JSON.stringify({ ok: false, id: error.id, error: errorObject(error) }));
    else this.messages.error(error, error.id);
  }

  /**
   * Sums several items up when some failed, for who reads only standard error; people have read
   * each failure.
   */
  reportFailed(failed: number, of: number, exit: number): void {
    if (failed > 0 && this.format === 'json')
      this.messages.note(`${failed} of ${of} failed`, { event: 'failed', failed, of, exit });
  }

  /** The settings in force, from flags, environment and profile. */
  settings(): Settings {
    const settings = readSettings(this.context, this.flags, (text) => this.messages.warn(text));
    this.messages.hide(settings.apiKey?.value ?? '');
    return settings;
  }

  /**
   * What a journal is bound to: the service and the profile, `env` when the environment names both
   * key and address.
   */
  identity(): { readonly service: string; readonly profile: string } {
    if (this.flags.sandbox) return { service: 'sandbox', profile: 'sandbox' };
    const { baseUrl, apiKey, profile } = this.settings();
    const isOfEnvironment =
      baseUrl?.from === 'CARBON_BASE_URL' && apiKey?.from === 'CARBON_API_KEY';
    return { service: baseUrl?.value ?? '', profile: isOfEnvironment ? 'env' : profile.value };
  }

  /**
   * Opens the connection to the service, or starts the sandbox and connects to that.
   * @throws as `requireAccess` does
   */
  async connect(
    options: Pick<ClientOptions, 'connections' | 'retries'> & { readonly access?: Access } = {},
  ): Promise<{ readonly client: ServiceClient }> {
    const { context } = this;
    const access = options.access ?? (await this.#access());
    this.messages.hide(access.apiKey);
    const { ServiceClient } = await import('../api/client.ts');
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

  /** Ends every connection, the last opened first. */
  async close(): Promise<void> {
    for (const end of this.#closing.reverse()) await end();
    this.#closing = [];
  }

  /**
   * A command line that goes on with the same service: `carbon <words>` and the flags that matter.
   */
  commandLine(...words: string[]): string {
    const { sandbox, profile, baseUrl } = this.flags;
    return quoteWords([
      'carbon',
      ...words,
      ...(sandbox ? ['--sandbox'] : []),
      ...(profile ? ['--profile', profile] : []),
      ...(baseUrl ? ['--base-url', baseUrl] : []),
    ]);
  }

  async #access(): Promise<Access> {
    return this.flags.sandbox ? this.#startSandbox() : requireAccess(this.settings());
  }

  async #startSandbox(): Promise<Access> {
    if (this.flags.baseUrl !== undefined || this.flags.profile !== undefined) {
      throw new UsageError('--sandbox goes with neither --base-url nor --profile');
    }
    const [{ openSandbox }, { randomUUID }] = await Promise.all([
      import('./start-sandbox.ts'),
      import('node:crypto'),
    ]);
    const sandbox = await openSandbox(this.context, this.messages, { key: randomUUID() });
    this.#closing.push(() => sandbox.close());
    return { baseUrl: sandbox.url, apiKey: sandbox.key };
  }

  #log(event: ClientEvent): void {
    if (event.kind === 'sent')
      this.messages.debug(`> ${event.method} ${event.url} (try ${event.tried})`);
    if (event.kind === 'answered') {
      // `carbon sandbox`, used by its address as any service is.
      if (event.synthetic) this.#synthetic = true;
      this.messages.debug(`< ${event.status}, ${event.bytes} bytes, ${Math.round(event.ms)} ms`);
    }
    if (event.kind === 'waiting') this.reportWaiting(event.ms, event.because);
  }

  /**
   * Says that a request is to be repeated after so many milliseconds; short waits are nobody's
   * business.
   */
  reportWaiting(ms: number, because: CarbonError): void {
    this.messages.debug(`= ${because.message}`);
    if (ms < 2_000 || this.flags.progress === false) return;
    const text = `${because.message}; trying again in ${Math.ceil(ms / 100) / 10} s`;
    this.messages.note(text, { event: 'waiting', ms: Math.round(ms) });
  }
}
