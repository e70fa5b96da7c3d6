/*
 * Exports the parts of undici that a request needs, as one chunk of the bundle. Loading all of
 * undici takes three times as long as starting Node (bench/start-up.ts).
 */
export { default as buildConnector } from 'undici/lib/core/connect.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
