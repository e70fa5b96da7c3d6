/*
 * Measures `carbon` side by side with the tools that people use instead, and prints one table. A
 * missed goal does not fail the bench, because the machine may be busy. docs/dev/performance.md
 * explains how to read the table.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, type as system } from 'node:os';
import { parseArgs } from 'node:util';
import { renderFigures } from './figures-page.ts';
import { type Finding, isReached, renderFinding } from './findings.ts';
import { footprint } from './footprint.ts';
import { hostile } from './hostile.ts';
import { limits } from './limits.ts';
import { nodeVersion } from './measure.ts';
import { memory, reportMemory } from './memory.ts';
import { pacing } from './pacing.ts';
import { reading } from './reading.ts';
import { retrieval } from './retrieval.ts';
import { startUp } from './start-up.ts';
import { sync } from './sync.ts';
import { throughput } from './throughput.ts';
import { watching } from './watching.ts';
import { workbook } from './workbook.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    markdown: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const { quick } = values;
const only = values.only.split(',');
const print = (text: string) => void process.stdout.write(`${text}\n`);

const sections: Readonly<Record<string, () => AsyncIterable<Finding> | Iterable<Finding>>> = {
  'start-up': () => startUp(quick ? 7 : 25, print),
  batch: () =>
    quick
      ? throughput(1, { own: 20_000, quickPeers: 2_000, slowPeers: 300 }, print)
      : throughput(5, { own: 60_000, quickPeers: 15_000, slowPeers: 1_500 }, print),
  get: () => (quick ? retrieval(10_000, 1) : retrieval(20_000, 5)),
  memory: () => memory(quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]),
  report: () => reportMemory(quick ? [1_000, 10_000] : [1_000, 10_000, 100_000]),
  'report-speed': () => reading(quick ? 10_000 : 100_000, quick ? 1 : 3, print),
  sync: () =>
    quick ? sync(10_000, { turns: 1, newRows: 500 }) : sync(100_000, { turns: 3, newRows: 2_000 }),
  footprint: () => (quick ? footprint([10_000], 1) : footprint([10_000, 100_000], 3)),
  hostile: () => hostile(),
  limits: () => (quick ? limits(400, [480, 2_560]) : limits(2_000, [4_000, 24_000])),
  pacing: () => pacing(quick ? 3 : 9),
  watch: () => watching(),
  workbook: () => workbook(quick ? 10_000 : 100_000),
};

const machine = `${cpus().length} × ${cpus()[0]?.model}, ${system()}`;
print(`${machine}, Node ${nodeVersion}`);
const [load = 0] = loadavg();
const findings: Finding[] = [];
let section = '';
for (const [name, measure] of Object.entries(sections)) {
  if (!only.some((prefix) => name.startsWith(prefix))) continue;
  for await (const finding of measure()) {
    if (finding.section !== section) print(`\n${finding.section}`);
    section = finding.section;
    findings.push(finding);
    print(renderFinding(finding));
  }
}
const withGoal = findings.map(isReached).filter((reached) => reached !== undefined);
print(`\n${withGoal.filter(Boolean).length} of ${withGoal.length} goals reached`);
if (values.json !== undefined) {
  writeFileSync(
    values.json,
    `${JSON.stringify({ machine, node: nodeVersion, at: new Date().toISOString(), findings }, null, 2)}\n`,
  );
}
if (values.markdown !== undefined) {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  const circumstances = {
    commit: `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ', with local changes' : ''}`,
    date: new Date().toISOString().slice(0, 10),
    machine,
    load,
    node: nodeVersion,
    command: ['npm run bench --', ...process.argv.slice(2)].join(' '),
  };
  writeFileSync(values.markdown, renderFigures(circumstances, findings));
}
