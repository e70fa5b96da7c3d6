// @ts-check
/*
 * Preloaded into Node for Windows under Wine: sets the variables that Wine replaced, and skips what
 * Wine cannot do.
 */
const { readFileSync } = require('node:fs');
const { Socket } = require('node:net');

const file = process.env['CARBON_WINE_ENVIRONMENT'] ?? '';
Object.assign(process.env, JSON.parse(readFileSync(file, 'utf8')));
for (const name of Object.keys(process.env))
  if (/^(CARBON_WINE_|WINE|NODE_OPTIONS$)/.test(name)) delete process.env[name];

// Wine fails a connection whose socket gets this option before it is connected.
const { setKeepAlive } = Socket.prototype;
Socket.prototype.setKeepAlive = function (...args) {
  return this.connecting ? this : setKeepAlive.apply(this, args);
};
