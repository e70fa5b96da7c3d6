import {
  openTransport,
  type Transport,
  type TransportOptions,
} from '../../src/runtime/transport.ts';
import type { VirtualClock } from './clock.ts';

/**
 * Opens real transports whose requests in flight hold the virtual clock: only waiting makes time
 * pass.
 */
export function openHeld(clock: VirtualClock): (options: TransportOptions) => Promise<Transport> {
  return async (options) => {
    const transport = await openTransport(options);
    return {
      destroy: () => transport.destroy(),
      dispatch(request, handler) {
        const release = clock.hold();
        return transport.dispatch(request, {
          onRequestStart: (...told) => handler.onRequestStart?.(...told),
          onResponseStart: (...told) => handler.onResponseStart?.(...told),
          onResponseData: (...told) => handler.onResponseData?.(...told),
          onResponseEnd(controller, trailers) {
            release();
            handler.onResponseEnd?.(controller, trailers);
          },
          onResponseError(controller, error) {
            release();
            handler.onResponseError?.(controller, error);
          },
        });
      },
    };
  };
}
