/* Checks a batch of shards, one of which was killed and started again, by the log of the server. */
import { readFileSync } from 'node:fs';

/** @typedef {import('./limited-server.js').Sent} Sent */

/**
 * When a shard was killed and started again, and its journal in between.
 *
 * @typedef {{ at: number, restartedAt: number, journal: string }} Kill
 */

/**
 * Returns the names of the rows that a journal calls registered.
 *
 * @param {string} journal its text, which a kill may have truncated
 * @param {readonly string[]} lines the lines of the input
 */
function journaledNames(journal, lines) {
  return new Set(
    journal
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line))
      .filter(({ key, id }) => key !== undefined && id !== null)
      .map(({ line }) => lines[line - 1] ?? ''),
  );
}

/**
 * Checks that every row has exactly one id and that none is missing. After a kill, the only rows
 * sent twice are those that were in flight then, or whose response was not in the journal yet.
 *
 * @param {{ file: string, journal: string, log: readonly Sent[], kill?: Kill }} batch the input,
 *   and the journal of the shard that was killed
 * @returns {string[]} what was checked, as sentences
 */
export function proveOnce({ file, journal, log, kill }) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const names = new Set(lines.slice(1, -1));
  const accepted = log.filter(({ status }) => status === 200);
  /** @type {Map<string, Sent[]>} */
  const byName = new Map();
  for (const sent of accepted) byName.set(sent.name, [...(byName.get(sent.name) ?? []), sent]);
  const missing = [...names].filter((name) => !byName.has(name));
  const foreign = [...byName.keys()].filter((name) => !names.has(name));
  const several = [...byName].filter(([, sent]) => new Set(sent.map(({ id }) => id)).size > 1);
  require('rows without a registration', missing);
  require('registrations that are no rows', foreign);
  require('rows with several ids', several);
  const ids = new Set(accepted.map(({ id }) => id));
  require('ids of several rows', ids.size === names.size ? [] : [ids.size]);
  const twice = [...byName].filter(([, sent]) => sent.length > 1).map(([name]) => name);
  const said = [`${names.size} rows, ${ids.size} ids, none missing, none twice`];
  if (kill === undefined) {
    require('rows sent twice', twice);
    return [...said, 'no row was sent twice'];
  }
  const recorded = journaledNames(kill.journal, lines);
  const shard = journaledNames(readFileSync(journal, 'utf8'), lines);
  // The server may receive requests of the killed process after the kill.
  const before = accepted.filter(({ name, at }) => at <= kill.restartedAt && shard.has(name));
  const open = before.filter(({ name }) => !recorded.has(name));
  const isInFlight = ({ repliedAt = Infinity } = /** @type {Sent} */ ({})) => repliedAt > kill.at;
  const openNames = new Set(open.map(({ name }) => name));
  require('rows of the journal that were sent again', twice.filter((name) => recorded.has(name)));
  require('rows sent twice that were not open at the kill', twice.filter(
    (name) => !openNames.has(name),
  ));
  require('open rows that were not sent again', [...openNames].filter(
    (name) => !twice.includes(name),
  ));
  require('rows sent more than twice', [...byName].filter(([, sent]) => sent.length > 2));
  const inFlight = open.filter(isInFlight).length;
  return [
    ...said,
    `at the kill, the shard had ${recorded.size} rows in its journal, ${inFlight} in flight, and ${open.length - inFlight} with a response but not yet journaled`,
    `exactly these ${twice.length} rows were sent twice, and got the same ids`,
  ];
}

/**
 * @param {string} what
 * @param {readonly unknown[]} found
 */
function require(what, found) {
  if (found.length > 0)
    throw new Error(`${what}: ${found.length}, such as ${JSON.stringify(found[0])}`);
}

/**
 * Describes how much of the permitted rate the shards used.
 *
 * @param {readonly Sent[]} log
 * @param {{ rate: number, burst: number }} limit
 */
export function describePace(log, { rate, burst }) {
  const accepted = log.filter(({ status }) => status === 200);
  const first = log[0]?.at ?? 0;
  const last = accepted.at(-1)?.at ?? 0;
  const refused = log.length - accepted.length;
  const share = (100 * (((accepted.length - burst) / rate) * 1000)) / (last - first);
  return `${accepted.length} requests accepted in ${((last - first) / 1000).toFixed(1)} s, ${share.toFixed(0)} % of the permitted ${rate}/s; ${refused} refused (${((100 * refused) / log.length).toFixed(1)} %)`;
}
