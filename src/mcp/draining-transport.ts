import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

type RequestId = string | number;

/**
 * Speaks the protocol over two streams, and knows which requests have no response yet.
 *
 * The transport of the SDK drops these requests when the input ends, although a shell pipe such as
 * `carbon mcp < requests.ndjson` still reads the responses.
 */
export class DrainingTransport extends StdioServerTransport {
  readonly #open = new Set<RequestId>();
  #onIdle: () => void = () => undefined;

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      this.#received(message);
      deliver?.(message);
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!('method' in message) && message.id !== undefined) this.#settled(message.id);
  }

  /** Resolves when every request has its response or was canceled. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      if (this.#open.size === 0) resolve();
    });
  }

  #received(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.#open.add(message.id);
    const canceled = message.params?.['requestId'];
    if (message.method === 'notifications/cancelled') this.#settled(canceled as RequestId);
  }

  #settled(id: RequestId): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#onIdle();
  }
}
