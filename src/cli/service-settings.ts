import {
  type Access,
  type KeySource,
  readSettings,
  requireAccess,
  type Settings,
} from '../config/settings.ts';
import type { Context } from '../runtime/context.ts';
import type { Messages } from './messages.ts';
import type { GlobalFlags } from './output-format.ts';

/** Reads the settings of one run when it needs them, each at most once. */
export class ServiceSettings {
  readonly #context: Context;
  readonly #flags: GlobalFlags;
  readonly #messages: Messages;
  #settings: Settings | undefined;
  #key: Promise<string> | undefined;

  constructor(context: Context, flags: GlobalFlags, messages: Messages) {
    this.#context = context;
    this.#flags = flags;
    this.#messages = messages;
  }

  /** Returns the effective settings: from flags, environment and profile. */
  read(): Settings {
    this.#settings ??= readSettings(this.#context, this.#flags, (text) =>
      this.#messages.warn(text),
    );
    const { apiKey } = this.#settings;
    if (apiKey?.kind === 'key') this.#messages.hide(apiKey.value);
    return this.#settings;
  }

  /**
   * Checks that there is a base URL and the source of a key for it, without reading the key.
   * @throws as `requireAccess` does
   */
  check(): void {
    requireAccess(this.read());
  }

  /**
   * Returns the base URL and the key. Loads the code that reads a file or runs a command only if it
   * needs it.
   * @throws as `requireAccess` and `readKey` do
   */
  async readAccess(): Promise<Access> {
    const { baseUrl, key } = requireAccess(this.read());
    return { baseUrl, apiKey: key.kind === 'key' ? key.value : await this.readKey(key) };
  }

  /**
   * Reads the settings and the key again, which may have changed since.
   * @throws as `readAccess` does
   */
  readAccessAgain(): Promise<Access> {
    this.#settings = undefined;
    this.#key = undefined;
    return this.readAccess();
  }

  /**
   * Returns the key of a source. Runs its command at most once.
   * @throws as `readKey` does
   */
  readKey(source: KeySource): Promise<string> {
    this.#key ??= import('../config/read-key.ts').then(({ readKey }) =>
      readKey(this.#context, source, {
        hide: (key) => this.#messages.hide(key),
        reportErrorLine: (line) =>
          this.#messages.print({
            level: 'failure',
            text: line,
            event: { event: 'key_command', line },
          }),
      }),
    );
    return this.#key;
  }
}
