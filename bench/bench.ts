/*
 * Measures `carbon` next to bare programs that do the least for the same job, and prints one table.
 * A missed goal does not fail the bench, because the machine may be busy. docs/dev/performance.md
 * explains how to read the table.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, type as system } from 'node:os';
import { parseArgs } from 'node:util';
import { everyday } from './everyday.ts';
import { renderFigures } from './figures-page.ts';
import { type Finding, isReached, renderFinding } from './findings.ts';
import { nodeVersion } from './measure.ts';
import { memory } from './memory.ts';
import { pacing } from './pacing.ts';
import { reading } from './reading.ts';
import { retrieval } from './retrieval.ts';
import { startUp } from './start-up.ts';
import { throughput } from './throughput.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    markdown: { type: 'string' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const { quick } = values;
const only = values.only.split(',');
const print = (text: string) => void process.stdout.write(`${text}\n`);

const sections: Readonly<Record<string, () => AsyncIterable<Finding> | Iterable<Finding>>> = {
  'start-up': () => startUp(quick ? 7 : 25),
  everyday: () => everyday(quick ? 3 : 25),
  batch: () => (quick ? throughput(20_000, 1) : throughput(60_000, 5)),
  get: () => (quick ? retrieval(10_000, 1) : retrieval(20_000, 5)),
  reading: () => (quick ? reading(10_000, 1) : reading(100_000, 3)),
  memory: () => memory(quick ? 100_000 : 1_000_000),
  pacing: () => pacing(quick ? 3 : 9),
};

if (values.help) {
  print(
    'Usage: npm run bench -- [--quick] [--only <sections>] [--json <file>] [--markdown <file>]',
  );
  print(`Sections: ${Object.keys(sections).join(', ')}`);
  process.exit();
}

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
