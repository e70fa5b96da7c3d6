// @ts-check
/*
 * Preloaded into the executable: makes time pass ten times as fast since FAST_SINCE, in
 * milliseconds since 1970, so that research of the sandbox takes a second.
 */
const factor = 10;
const since = Number(process.env['FAST_SINCE']);
const { now } = Date;
const { bigint } = process.hrtime;
const { setTimeout } = globalThis;

Date.now = () => Math.round(since + (now() - since) * factor);
process.hrtime.bigint = () => bigint() * BigInt(factor);
/** @type {any} */ (globalThis).setTimeout = (
  /** @type {(...args: any[]) => void} */ call,
  ms = 0,
  /** @type {any[]} */ ...args
) => setTimeout(call, ms / factor, ...args);
