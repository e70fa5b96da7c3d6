/*
 * Runs the command lines of docs/operations.md with the engines that they are for: a Slurm cluster
 * of one node, GNU parallel, and the variables of Kubernetes and AWS Batch. One shard is killed and
 * started again. The journals must give every row exactly one id, and the service must have got no
 * row twice but those that were open at the kill.
 *
 * Run `npm run build` first. Prints a transcript, and skips an engine that is not installed.
 */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { Scratch } from './scratch.js';
import { startCluster } from './slurm-cluster.js';

const root = resolve(import.meta.dirname, '../..');
const rows = 600;
const victim = 3;
/* The requests that a shard may have in flight when it is killed. */
const concurrency = 16;

const text = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const print = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);

/**
 * Returns the command line of docs/operations.md that starts so.
 *
 * @param {string} start
 */
function documented(start) {
  const lines = text.replaceAll('\\\n', '').split('\n');
  const line = lines.find((each) => each.startsWith(start));
  if (line === undefined)
    throw new Error(`docs/operations.md has no line that starts with ${start}`);
  return line.replace(/ {2,}/g, ' ');
}

/**
 * Returns the ids that a journal records, by line; a kill may have truncated its last line.
 *
 * @param {string} journal
 */
function idsOf(journal) {
  const lines = existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').slice(1, -1) : [];
  return lines.map((line) => /** @type {{ line: number, id: number }} */ (JSON.parse(line)));
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/**
 * What an engine works with.
 *
 * @typedef {object} Batch
 * @property {Scratch} scratch
 * @property {string} folder
 * @property {Record<string, string>} env
 * @property {() => Promise<void>} kill kills a shard that has registered rows, without a warning
 */

/**
 * Runs one engine against a service of its own, and checks what the service received.
 *
 * @param {string} name
 * @param {Work} work
 */
async function check(name, work) {
  const scratch = new Scratch();
  try {
    const { folder, file } = scratch.writeSuppliers(name.replace(/\W+/g, '-'), rows);
    const limits = ['--rate', '50', '--burst', '10', '--latency', '200ms'];
    const service = scratch.start('carbon', ['sandbox', '--port', '0', ...limits]);
    const printed = () => readFileSync(join(scratch.folder, 'carbon.out'), 'utf8');
    await scratch.until('the service', () => printed().includes('API_KEY'));
    const [, url = ''] = /BASE_URL=(\S+)/.exec(printed()) ?? [];
    const [, key = ''] = /API_KEY=(\S+)/.exec(printed()) ?? [];
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: key };
    const journal = `${file}.${victim}-of-8.carbon.jsonl`;
    await work({ scratch, folder, env, kill: () => killShard(scratch, journal) });
    const state = scratch.run('carbon', ['batch', 'suppliers.csv', '--status'], env, folder);
    print(`$ carbon batch suppliers.csv --status\n${state.stdout}`);
    if (state.status !== 0) throw new Error(`--status ended with ${state.status}: ${state.stderr}`);
    const journals = readdirSync(folder).filter((each) => each.endsWith('.carbon.jsonl'));
    const all = journals.flatMap((each) => idsOf(join(folder, each)));
    const [lines, ids] = [new Set(all.map(({ line }) => line)), new Set(all.map(({ id }) => id))];
    if (all.length !== rows || lines.size !== rows || ids.size !== rows)
      throw new Error(`${all.length} lines of journals, ${lines.size} rows, ${ids.size} ids`);
    service.kill('SIGINT');
    await once(service, 'exit');
    const sent = printed().match(/POST \/organizations 200/g)?.length ?? 0;
    if (sent > rows + 2 * concurrency) throw new Error(`${sent} registrations of ${rows} rows`);
    print(`  ✓ ${rows} rows, each with one id; ${sent - rows} were sent again after the kill`);
  } finally {
    await scratch.close();
  }
}

/**
 * @param {Scratch} scratch
 * @param {string} journal
 */
async function killShard(scratch, journal) {
  await scratch.until('a shard with rows', () => idsOf(journal).length > 10);
  const { pid } = JSON.parse(readFileSync(`${journal}.lock`, 'utf8'));
  process.kill(pid, 'SIGKILL');
  await scratch.until('the end of the shard', () => !isAlive(pid));
  print(`$ kill -9 ${pid}     # shard ${victim} of 8, after ${idsOf(journal).length} rows`);
}

async function slurm(/** @type {Batch} */ { scratch, folder, env, kill }) {
  const cluster = { ...env, ...(await startCluster(scratch)) };
  const submit = documented('sbatch --array=1-8 ');
  const { output } = await scratch.shell(submit, cluster, folder);
  print(`$ ${submit}\n${output.trim()}`);
  const job = /job (\d+)/.exec(output)?.[1] ?? '';
  const states = () =>
    scratch.run('squeue', ['-h', '-r', '-t', 'all', '-o', '%K %T', '-j', job], cluster).stdout;
  await kill();
  await scratch.until('a failed task', () => states().includes(`${victim} FAILED`));
  const morning = scratch.run('carbon', ['batch', 'suppliers.csv', '--status'], cluster, folder);
  print(`$ carbon batch suppliers.csv --status\n${morning.stdout}`);
  if (morning.status !== 8) throw new Error(`--status ended with ${morning.status}`);
  const requeue = documented('scontrol requeue ').replace('JOB', job);
  const requeued = await scratch.shell(requeue, cluster, folder);
  if (requeued.exit !== 0) throw new Error(requeued.output);
  print(`$ ${requeue}`);
  await scratch.until('the end of the array', () => {
    const all = states().trim().split('\n');
    return all.length === 8 && all.every((task) => / (COMPLETED|FAILED)$/.test(task));
  });
  print(`$ squeue -r -t all -o '%K %T' -j ${job}\n${states().trim()}`);
  if (states().includes('FAILED')) throw new Error('a task failed again');
}

async function parallel(/** @type {Batch} */ { scratch, folder, env, kill }) {
  const line = documented('parallel ');
  print(`$ ${line}`);
  const running = scratch.shell(line, env, folder);
  await kill();
  const first = await running;
  print(`  exit ${first.exit}`);
  if (first.exit !== 1) throw new Error(`parallel ended with ${first.exit}: ${first.output}`);
  const again = documented('parallel --resume-failed ');
  const second = await scratch.shell(again, env, folder);
  print(`$ ${again}\n  exit ${second.exit}`);
  if (second.exit !== 0) throw new Error(`parallel ended with ${second.exit}: ${second.output}`);
}

/**
 * Runs the arguments of a container once for each index, as an engine that counts from 0 does.
 *
 * @param {string} variable
 * @param {readonly string[]} args
 */
function indexed(variable, args) {
  return async (/** @type {Batch} */ { scratch, folder, env, kill }) => {
    const words = args.map((word) => word.replace('/data/', `${folder}/`));
    print(`$ ${variable}=0…7 carbon ${args.join(' ')}`);
    const run = (/** @type {number} */ index) =>
      scratch.shell(`exec carbon ${words.join(' ')}`, { ...env, [variable]: `${index}` }, folder);
    const tasks = Array.from({ length: 8 }, (_, index) => run(index));
    await kill();
    const ended = await Promise.all(tasks);
    const failed = ended.filter(({ exit }, index) => exit !== 0 && index !== victim - 1);
    if (failed.length > 0) throw new Error(`exit ${failed[0]?.exit}: ${failed[0]?.output}`);
    const { exit, output } = await run(victim - 1);
    print(`$ ${variable}=${victim - 1} carbon ${args.join(' ')}\n  exit ${exit}`);
    if (exit !== 0) throw new Error(output);
  };
}

const deployed = (/** @type {string} */ file) =>
  parse(readFileSync(join(root, 'deploy', file), 'utf8'));
const kubernetesArgs = deployed('kubernetes/indexed-job.yaml').spec.template.spec.containers[0]
  .args;
const awsArgs = deployed('aws-batch/carbon-batch.json').containerProperties.command;

/** @typedef {(batch: Batch) => Promise<void>} Work */

/** @type {readonly [name: string, needs: readonly string[], work: Work][]} */
const engines = [
  ['Slurm', ['munged', 'slurmctld', 'slurmd'], slurm],
  ['GNU parallel', ['parallel'], parallel],
  ['Kubernetes, simulated', [], indexed('JOB_COMPLETION_INDEX', kubernetesArgs)],
  ['AWS Batch, simulated', [], indexed('AWS_BATCH_JOB_ARRAY_INDEX', awsArgs)],
];

const installed = new Scratch();
const isMissing = (/** @type {string} */ program) => installed.run('which', [program]).status !== 0;
const only = process.argv[2] ?? '';
for (const [name, needs, work] of engines) {
  if (!name.startsWith(only)) continue;
  const missing = needs.filter(isMissing);
  print(`\n== ${name}`);
  if (missing.length > 0) print(`skipped: ${missing.join(', ')} not installed`);
  else
    await check(name, work).catch((error) => {
      print(`  ✗ ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    });
}
await installed.close();
