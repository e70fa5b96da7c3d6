#!/usr/bin/env node
// @ts-check
'use strict';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const { existsSync, fstatSync, readFileSync, writeSync } = require('node:fs');
const { basename, join } = require('node:path');
const argv = process.argv.slice(2);
const isWindows = process.platform === 'win32';
/* STATUS_CONTROL_C_EXIT, with which Windows ends a program that does not handle Ctrl-C. */
const controlCExit = 0xc000013a | 0;
const prerenderedFile = join(__dirname, '../dist/prerendered.json');
/** @type {(built: string) => any} */
const load = require;

if (major < 22 ? major !== 20 || minor < 19 : major === 22 && minor < 2) {
  fail(`carbon needs Node.js 20.19 or later of 20, or 22.2 or later; this is ${process.version}`);
} else if (!mayRead(prerenderedFile)) {
  fail(
    `Node.js is not allowed to read carbon's files: start it with --allow-fs-read=${join(__dirname, '../*')}`,
  );
} else if (!existsSync(prerenderedFile)) {
  fail('carbon has not been built: run `npm run build` first');
} else {
  printPrerendered() ?? run();
}

/**
 * Returns whether this process may read a file under Node's permission model (`node --permission`).
 *
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
 * Prints a text that the build generated: help, version and completion scripts. Returns undefined
 * for other command lines.
 */
function printPrerendered() {
  const words = argv.join(' ');
  if (!/^$|(^| )(-h|--help|-V|--version)$|^help\b|^completion /.test(words)) return undefined;
  /** @type {Record<string, string>} */
  const prerendered = load('../dist/prerendered.json');
  let text = Object.hasOwn(prerendered, words) ? prerendered[words] : undefined;
  if (text === undefined) return undefined;
  const documents = join(__dirname, '../docs');
  if (words === 'help docs' && existsSync(documents))
    text = text.replace(/https:\S+/, () => documents);
  write(Buffer.from(words.startsWith('completion') ? text : breakLines(text)));
  return true;
}

/**
 * Breaks the lines of a help for a narrow terminal, under their last column. The terminal breaks
 * command lines, so that a copied one is whole.
 *
 * @param {string} text
 */
function breakLines(text) {
  // Only a terminal has a width, which takes time to find out.
  if (!fstatSync(1).isCharacterDevice()) return text;
  const columns = Math.max(40, process.stdout.columns || 80);
  if (columns >= 80) return text;
  return joinLines(text.split('\n'))
    .map((line) => {
      const last = lastColumn(line);
      if (last === undefined && /^ {2}(?! ).*\bcarbon /.test(line)) return line;
      const column = last ?? /^ */.exec(line)?.[0] ?? '';
      const indent = ' '.repeat(column.length < columns / 2 ? column.length : 4);
      let rest = line;
      const lines = [];
      while (rest.length > columns) {
        const fitting = rest.lastIndexOf(' ', columns);
        // A word that is wider than the terminal has a line of its own.
        const end = fitting > indent.length ? fitting : rest.indexOf(' ', columns);
        if (end < 0) break;
        lines.push(rest.slice(0, end).trimEnd());
        rest = indent + rest.slice(end + 1);
      }
      return [...lines, rest].join('\n');
    })
    .join('\n');
}

/**
 * Returns a line up to the start of its last column; undefined without columns.
 *
 * @param {string} line
 */
function lastColumn(line) {
  return /^ +(?:\S+(?: \S+)*? {2,})+/.exec(line)?.[0];
}

/**
 * Joins lines that the build broke at 80 columns: those of a paragraph without an indent, those
 * under the last column, and those of a list with commas.
 *
 * @param {string[]} lines
 */
function joinLines(lines) {
  /** @type {string[]} */
  const joined = [];
  let last = '';
  for (const line of lines) {
    const [, indent = '', word = ''] = /^( *)(\S*)/.exec(line) ?? [];
    const own = last.endsWith(',') ? indent.length : last.startsWith(' ') ? undefined : 0;
    const under = lastColumn(joined.at(-1) ?? '')?.length ?? own;
    const isBroken = word !== '' && last !== '' && last.length + word.length >= 70;
    if (isBroken && indent.length === under) joined.push(`${joined.pop()} ${line.trim()}`);
    else joined.push(line);
    last = line;
  }
  return joined;
}

/**
 * Writes to the file descriptor. Opening `process.stdout` takes a tenth of the time in which Node
 * starts, so only a full pipe needs it.
 *
 * @param {Buffer} text
 */
function write(text) {
  let remaining = text;
  try {
    while (remaining.length > 0) remaining = remaining.subarray(writeSync(1, remaining));
  } catch (thrown) {
    const error = /** @type {NodeJS.ErrnoException} */ (thrown);
    if (error.code !== 'EAGAIN') return onOutputError(error);
    process.stdout.on('error', onOutputError);
    process.stdout.write(remaining);
  }
}

/**
 * Reports a failed write once, when the process exits. A closed pipe is no failure.
 *
 * @param {NodeJS.ErrnoException} error
 */
function onOutputError(error) {
  if (error.code === 'EPIPE' || process.listenerCount('exit') > 0) return;
  process.once('exit', () => {
    process.exitCode = 1;
    process.stderr.write(`Error: standard output could not be written: ${error.message}\n`);
  });
}

/**
 * Takes the code of each file as the build compiled it, which is a quarter of an everyday command.
 * The build writes it for its own version of Node. V8 refuses what another version or other flags
 * compiled, and then compiles the file itself.
 */
function useCompiledCode() {
  const version = `${process.version}-${process.platform}-${process.arch}`;
  const compiled = join(__dirname, '../dist/compiled', version);
  if (!existsSync(compiled)) return;
  const { Script } = require('node:vm');
  let isRefused = false;
  /** @type {any} */ (require.extensions)['.cjs'] = (
    /** @type {NodeJS.Module} */ module,
    /** @type {string} */ filename,
  ) => {
    const file = join(compiled, basename(filename));
    const start = '(function (exports, require, module) {';
    const script = new Script(`${start}${readFileSync(filename, 'utf8')}\n})`, {
      filename,
      columnOffset: -start.length,
      cachedData: isRefused || !existsSync(file) ? undefined : readFileSync(file),
    });
    isRefused ||= script.cachedDataRejected === true;
    script.runInThisContext()(module.exports, module.require.bind(module), module);
  };
}

async function run() {
  // Stack traces then point to src/. Other runs skip the source maps, which take long to read.
  if (argv.includes('--debug') || process.env['CARBON_DEBUG']) process.setSourceMapsEnabled(true);
  else useCompiledCode();
  /** @type {typeof import('../src/main.ts')} */
  const { main, realContext, outputError, Stopped } = load('../dist/main.cjs');
  const stop = new AbortController();
  const context = realContext(process, stop.signal);
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  // Ctrl-Break of a Windows console.
  if (isWindows) signals.push('SIGBREAK');
  /** @type {NodeJS.Signals | undefined} */
  let raised;
  /** @param {NodeJS.Signals} signal */
  const onSignal = (signal) => {
    if (raised) reraise(raised);
    raised = signal;
    stop.abort(new Stopped(signal === 'SIGBREAK' ? 'SIGINT' : signal));
  };
  /** @param {NodeJS.Signals} signal */
  const reraise = (signal) => {
    for (const name of signals) process.off(name, onSignal);
    // Windows knows no signals: process.kill would end this process with exit code 1.
    if (isWindows) process.exit(controlCExit);
    process.kill(process.pid, signal);
    // The kernel ignores a signal without a handler for the first process of a container.
    if (process.pid === 1) process.exit(128 + require('node:os').constants.signals[signal]);
  };
  for (const name of signals) process.on(name, onSignal);
  process.stderr.on('error', () => {});
  process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    stop.abort(error.code === 'EPIPE' ? new Stopped('closed output') : outputError(error));
  });
  // A run has failed if the process ends before main returns an exit code.
  process.exitCode = 1;
  process.exitCode = await main(argv, context);
  context.release();
  // A signal may have arrived during the last work.
  await new Promise((resolve) => setImmediate(resolve));
  for (const name of signals) process.off(name, onSignal);
  const signal = raised;
  const end = () => {
    if (signal !== undefined) reraise(signal);
    // Freeing the heap takes up to 4% of a command. On Windows, Node 24 may crash
    // (nodejs/node#56645).
    else if (!isWindows) process.exit();
  };
  // The output must arrive before the end, unless nobody reads it after a signal.
  if (signal !== undefined && process.stdout.writableNeedDrain) end();
  else process.stdout.write('', () => process.stderr.write('', end));
}
