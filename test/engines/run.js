/*
 * Runs the command lines of docs/operations.md with the engines that they are for: a Slurm cluster
 * of one node, GNU parallel, and the environment variables of Kubernetes and AWS Batch. One shard
 * is killed and started again. The log of the server must show that every row has exactly one id,
 * and that only rows that were open at the kill were sent twice.
 *
 * Run `npm run build` first. Prints a transcript, and skips an engine that is not installed.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { startLimitedServer } from './limited-server.js';
import { describePace, proveOnce } from './proof.js';
import { Scratch } from './scratch.js';
import { startCluster } from './slurm-cluster.js';

const root = resolve(import.meta.dirname, '../..');
const limit = { rate: 50, burst: 10, latencyMs: 200 };
const rows = 600;
const victim = 3;

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
 * Kills the process of a shard, without a warning, after it has registered rows.
 *
 * @param {Scratch} scratch
 * @param {Batch['server']} server
 * @param {string} journal
 */
async function killShard(scratch, server, journal) {
  await scratch.until(
    'a shard with rows',
    async () => linesOf(journal) > 10 && (await server.log()).length > 150,
  );
  const { pid } = JSON.parse(readFileSync(`${journal}.lock`, 'utf8'));
  process.kill(pid, 'SIGKILL');
  const at = Date.now();
  await scratch.until('the end of the shard', () => !isAlive(pid));
  print(`$ kill -9 ${pid}     # shard ${victim} of 8, after ${linesOf(journal) - 1} rows`);
  return { at, restartedAt: at, journal: readFileSync(journal, 'utf8') };
}

/** @param {string} journal */
function linesOf(journal) {
  return existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length - 1 : 0;
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
 * Runs one engine against a server of its own, and checks what the server received.
 *
 * @param {string} name
 * @param {(scratch: Scratch, batch: Batch) => Promise<import('./proof.js').Kill | undefined>} work
 *
 * @typedef {object} Batch
 * @property {string} folder
 * @property {string} file
 * @property {string} journal the journal of the shard to kill
 * @property {Record<string, string>} env
 * @property {Awaited<ReturnType<typeof startLimitedServer>>} server
 */
async function check(name, work) {
  const scratch = new Scratch();
  const server = await startLimitedServer(limit);
  try {
    const { folder, file } = scratch.writeSuppliers(name.replace(/\W+/g, '-'), rows);
    const env = {
      CARBON_BASE_URL: server.url,
      CARBON_API_KEY: 'engines',
      REDIS: await startRedis(scratch),
    };
    const journal = `${file}.${victim}-of-8.carbon.jsonl`;
    const kill = await work(scratch, { folder, file, journal, env, server });
    const log = await server.log();
    for (const line of proveOnce({ file, journal, log, ...(kill && { kill }) }))
      print(`  ✓ ${line}`);
    print(`  ${describePace(log, limit)}`);
    print(`  ${describeRedis(scratch, env.REDIS)}`);
    const state = scratch.run('carbon', ['batch', 'suppliers.csv', '--status'], env, folder);
    print(`$ carbon batch suppliers.csv --status\n${state.stdout}`);
    if (state.status !== 0) throw new Error(`--status ended with ${state.status}: ${state.stderr}`);
  } finally {
    await server.close();
    await scratch.close();
  }
}

/** @param {Scratch} scratch */
async function startRedis(scratch) {
  const port = `${await scratch.freePort()}`;
  const options = { port, bind: '127.0.0.1', dir: scratch.folder, save: '' };
  scratch.start(
    'redis-server',
    Object.entries(options).flatMap(([key, value]) => [`--${key}`, value]),
  );
  await scratch.until(
    'redis-server',
    () => scratch.run('redis-cli', ['-p', port, 'ping']).status === 0,
  );
  return `redis://127.0.0.1:${port}/0`;
}

/**
 * Describes the calls that the shards made to Redis.
 *
 * @param {Scratch} scratch
 * @param {string} url
 */
function describeRedis(scratch, url) {
  const { stdout } = scratch.run('redis-cli', ['-u', url, 'info', 'commandstats']);
  const [, calls = '0', microseconds = '0'] =
    /cmdstat_evalsha:calls=(\d+),usec=\d+,usec_per_call=([\d.]+)/.exec(stdout) ?? [];
  if (calls === '0') throw new Error(`no shard used Redis: ${stdout}`);
  return `Redis ran the script ${calls} times, ${Number(microseconds).toFixed(0)} µs each`;
}

async function slurm(
  /** @type {Scratch} */ scratch,
  /** @type {Batch} */ { folder, journal, env, server },
) {
  const cluster = { ...env, ...(await startCluster(scratch)) };
  const submit = documented('sbatch --array=1-8 ');
  const { output } = await scratch.shell(submit, cluster, folder);
  print(`$ ${submit}\n${output.trim()}`);
  const job = /job (\d+)/.exec(output)?.[1] ?? '';
  const states = () =>
    scratch.run('squeue', ['-h', '-r', '-t', 'all', '-o', '%K %T', '-j', job], cluster).stdout;
  const kill = await killShard(scratch, server, journal);
  await scratch.until('a failed task', () => states().includes(`${victim} FAILED`));
  const morning = scratch.run('carbon', ['batch', 'suppliers.csv', '--status'], cluster, folder);
  print(`$ carbon batch suppliers.csv --status\n${morning.stdout}`);
  if (morning.status !== 8) throw new Error(`--status ended with ${morning.status}`);
  const requeue = documented('scontrol requeue ').replace('JOB', job);
  kill.restartedAt = Date.now();
  const requeued = await scratch.shell(requeue, cluster, folder);
  if (requeued.exit !== 0) throw new Error(requeued.output);
  print(`$ ${requeue}`);
  await scratch.until('the end of the array', () => {
    const all = states().trim().split('\n');
    return all.length === 8 && all.every((task) => / (COMPLETED|FAILED)$/.test(task));
  });
  print(`$ squeue -r -t all -o '%K %T' -j ${job}\n${states().trim()}`);
  if (states().includes('FAILED')) throw new Error(readOutputs(folder));
  return kill;
}

/** @param {string} folder */
function readOutputs(folder) {
  const names = readdirSync(folder).filter((name) => name.startsWith('slurm-'));
  return names.map((name) => `${name}: ${readFileSync(join(folder, name), 'utf8')}`).join('\n');
}

async function parallel(
  /** @type {Scratch} */ scratch,
  /** @type {Batch} */ { folder, journal, env, server },
) {
  const line = documented('parallel ');
  print(`$ ${line}`);
  const running = scratch.shell(line, env, folder);
  const kill = await killShard(scratch, server, journal);
  const first = await running;
  print(`  exit ${first.exit}`);
  if (first.exit !== 1) throw new Error(`parallel ended with ${first.exit}: ${first.output}`);
  const again = documented('parallel --resume-failed ');
  kill.restartedAt = Date.now();
  const second = await scratch.shell(again, env, folder);
  print(`$ ${again}\n  exit ${second.exit}`);
  if (second.exit !== 0) throw new Error(`parallel ended with ${second.exit}: ${second.output}`);
  return kill;
}

/**
 * Runs the arguments of a container once for each index, as an engine that counts from 0 does.
 *
 * @param {string} variable
 * @param {readonly string[]} args
 * @returns {Parameters<typeof check>[1]}
 */
function indexed(variable, args) {
  return async (scratch, { folder, journal, env, server }) => {
    const words = args.map((word) => word.replace('/data/', `${folder}/`));
    print(`$ CARBON_PACE=$REDIS ${variable}=0…7 carbon ${args.join(' ')}`);
    const run = (/** @type {number} */ index) =>
      scratch.shell(
        `exec carbon ${words.join(' ')}`,
        { ...env, CARBON_PACE: env['REDIS'] ?? '', [variable]: `${index}` },
        folder,
      );
    const tasks = Array.from({ length: 8 }, (_, index) => run(index));
    const kill = await killShard(scratch, server, journal);
    const ended = await Promise.all(tasks);
    const failed = ended.filter(({ exit }, index) => exit !== 0 && index !== victim - 1);
    if (failed.length > 0) throw new Error(`exit ${failed[0]?.exit}: ${failed[0]?.output}`);
    kill.restartedAt = Date.now();
    const { exit, output } = await run(victim - 1);
    print(`$ ${variable}=${victim - 1} carbon ${args.join(' ')}\n  exit ${exit}`);
    if (exit !== 0) throw new Error(output);
    return kill;
  };
}

function kubernetesArgs() {
  const manifest = readFileSync(join(root, 'deploy/kubernetes/indexed-job.yaml'), 'utf8');
  return parse(manifest).spec.template.spec.containers[0].args;
}

function awsArgs() {
  const definition = readFileSync(join(root, 'deploy/aws-batch/carbon-batch.json'), 'utf8');
  return JSON.parse(definition).containerProperties.command;
}

/**
 * An engine, the programs that it needs, and what it does.
 *
 * @typedef {object} Engine
 * @property {string} name
 * @property {readonly string[]} needs
 * @property {() => Parameters<typeof check>[1]} work
 */

/** @type {readonly Engine[]} */
const engines = [
  { name: 'Slurm', needs: ['munged', 'slurmctld', 'slurmd'], work: () => slurm },
  { name: 'GNU parallel', needs: ['parallel'], work: () => parallel },
  {
    name: 'Kubernetes, simulated',
    needs: [],
    work: () => indexed('JOB_COMPLETION_INDEX', kubernetesArgs()),
  },
  {
    name: 'AWS Batch, simulated',
    needs: [],
    work: () => indexed('AWS_BATCH_JOB_ARRAY_INDEX', awsArgs()),
  },
];

const installed = new Scratch();
const isMissing = (/** @type {string} */ program) => installed.run('which', [program]).status !== 0;
const only = process.argv[2] ?? '';
for (const { name, needs, work } of engines) {
  if (!name.startsWith(only)) continue;
  const missing = [...needs, 'redis-server', 'redis-cli'].filter(isMissing);
  print(`\n== ${name}`);
  if (missing.length > 0) print(`skipped: ${missing.join(', ')} not installed`);
  else
    await check(name, work()).catch((error) => {
      print(`  ✗ ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    });
}
await installed.close();
