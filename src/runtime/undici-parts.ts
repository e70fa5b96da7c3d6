/*
 * The parts of undici that a request needs, in one chunk of the bundle; all of undici costs three
 * starts of Node.
 */
export { default as buildConnector } from 'undici/lib/core/connect.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
