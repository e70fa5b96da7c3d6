import { openTransport } from '../../src/runtime/transport.ts';
import type { VirtualClock } from './clock.ts';

/**
 * Opens real transports whose requests in flight stop the virtual clock.
 * @param open opens them: the program under test, otherwise src/
 */
export function openHeld(clock: VirtualClock, open = openTransport): typeof openTransport {
  return async (options) => {
    const transport = await open(options);
    return {
      destroy: () => transport.destroy(),
      dispatch(request, handler) {
        const release = clock.hold();
        return transport.dispatch(request, {
          onRequestStart: (...args) => handler.onRequestStart?.(...args),
          onResponseStart: (...args) => handler.onResponseStart?.(...args),
          onResponseData: (...args) => handler.onResponseData?.(...args),
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
