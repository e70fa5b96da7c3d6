/* Exports the parts of undici that a proxy needs: all of undici would double the package. */
export { default as sendConnect } from 'undici/lib/api/api-connect.js';
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
