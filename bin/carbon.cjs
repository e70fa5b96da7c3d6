#!/usr/bin/env node
// @ts-check
'use strict';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const { existsSync, writeSync } = require('node:fs');
const { join } = require('node:path');
const argv = process.argv.slice(2);
const answersFile = join(__dirname, '../dist/answers.json');
/** @type {(built: string) => any} */
const read = require;

if (major < 20 || (major === 20 && minor < 19)) {
  fail(`carbon needs Node.js 20.19 or later; this is ${process.version}`);
} else if (!mayRead(answersFile)) {
  fail(
    `Node.js may not read carbon's files: start it with --allow-fs-read=${join(__dirname, '../*')}`,
  );
} else if (!existsSync(answersFile)) {
  fail('carbon has not been built: run `npm ci` first');
} else {
  answer() ?? run();
}

/**
 * Whether Node's permission model, which `node --permission` switches on, lets this process read a
 * file.
 * @param {string} file
 */
function mayRead(file) {
  /** @type {{ permission?: { has(scope: string, file: string): boolean } }} */
  const { permission } = /** @type {any} */ (process);
  return permission?.has('fs.read', file) !== false;
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`Error: ${message}\n`);
  process.exitCode = 1;
}

/**
 * Writes the text that was generated when carbon was built, for --version and every kind of help.
 */
function answer() {
  const words = argv.join(' ');
  if (!/^$|(^| )(-h|--help|-V|--version)$|^help\b|^completion /.test(words)) return undefined;
  /** @type {Record<string, string>} */
  const answers = read('../dist/answers.json');
  const text = Object.hasOwn(answers, words) ? answers[words] : undefined;
  if (text === undefined) return undefined;
  write(Buffer.from(text));
  return true;
}

/**
 * Writes at once, because `process.stdout` alone would cost a tenth of a bare start; it is for a
 * pipe that is full.
 * @param {Buffer} text
 */
function write(text) {
  let rest = text;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (thrown) {
    const error = /** @type {NodeJS.ErrnoException} */ (thrown);
    if (error.code !== 'EAGAIN') return onOutputError(error);
    process.stdout.on('error', onOutputError);
    process.stdout.write(rest);
  }
}

/**
 * A reader that has enough is no failure; a full disk is one, and it shall be told once, at the
 * end.
 * @param {NodeJS.ErrnoException} error
 */
function onOutputError(error) {
  if (error.code === 'EPIPE' || process.listenerCount('exit') > 0) return;
  process.once('exit', () => {
    process.exitCode = 1;
    process.stderr.write(`Error: standard output could not be written: ${error.message}\n`);
  });
}

async function run() {
  // Stack traces then point to src/; reading the maps takes too long for every run.
  if (argv.includes('--debug') || process.env['CARBON_DEBUG']) process.setSourceMapsEnabled(true);
  /** @type {typeof import('../src/main.ts')} */
  const { main, realContext, outputError, Stopped } = read('../dist/main.cjs');
  const stop = new AbortController();
  const context = realContext(process, stop.signal);
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  /** @type {NodeJS.Signals | undefined} */
  let raised;
  /** @param {NodeJS.Signals} signal */
  const onSignal = (signal) => {
    if (raised) reraise(raised);
    raised = signal;
    stop.abort(new Stopped(signal));
  };
  /** @param {NodeJS.Signals} signal */
  const reraise = (signal) => {
    for (const name of signals) process.off(name, onSignal);
    process.kill(process.pid, signal);
  };
  for (const name of signals) process.on(name, onSignal);
  process.stderr.on('error', () => {});
  process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    stop.abort(error.code === 'EPIPE' ? new Stopped('closed output') : outputError(error));
  });
  // Until main has said otherwise: a run that ends without an answer has failed.
  process.exitCode = 1;
  process.exitCode = await main(argv, context);
  context.release();
  for (const name of signals) process.off(name, onSignal);
  if (raised === undefined) return;
  const ended = raised;
  // What was written shall arrive, unless nobody reads it.
  if (process.stdout.writableNeedDrain) reraise(ended);
  else process.stdout.write('', () => reraise(ended));
}
