/* Exports the parts of undici that a proxy needs: all of undici would double the package. */
import connect from 'undici/lib/api/api-connect.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

// undici's entry adds this method, with which an agent opens a tunnel.
Object.assign(Dispatcher.prototype, { connect });

export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
