import { createReadStream, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Finding } from './findings.ts';
import {
  carbon,
  isInstalled,
  type LoadServer,
  median,
  original,
  program,
  run,
  startServer,
  temporaryDirectory,
  type Used,
  use,
  writeSuppliers,
} from './measure.ts';

const inFlight = 16;

/** Number of rows for each program, so that each takes some seconds. */
export interface Rows {
  readonly own: number;
  readonly quickPeers: number;
  readonly slowPeers: number;
}

/** Measures how fast `carbon batch` registers rows, side by side with loops that do less. */
export async function* throughput(
  turns: number,
  rows: Rows,
  print: (text: string) => void,
): AsyncGenerator<Finding> {
  const section = 'batch';
  const server = await startServer();
  const file = await writeSuppliers(rows.own);
  const rates = { batch: [] as number[], parsing: [] as number[], plain: [] as number[] };
  const cpuSeconds = { batch: [] as number[], parsing: [] as number[], plain: [] as number[] };
  const take = (what: keyof typeof rates, { wallMs, cpuMs }: Used) => {
    rates[what].push((rows.own / wallMs) * 1000);
    cpuSeconds[what].push((cpuMs / 1000 / rows.own) * 10_000);
  };
  for (let turn = 0; turn < turns; turn += 1) {
    rmSync(`${file}.carbon.jsonl`, { force: true });
    take('batch', await use([carbon, 'batch', file, '--no-progress'], server.env));
    for (const [name, parses] of [['parsing', 'true'] as const, ['plain', 'false'] as const]) {
      take(name, await use([program('bare-pool.js'), server.url, file, `${inFlight}`, parses]));
    }
  }
  const yardstick = median(rates.parsing);
  const finding = (what: string, value: number, goal?: Finding['goal']): Finding => ({
    section,
    what,
    value,
    unit: 'rows/s',
    ratio: value / yardstick,
    goal,
  });
  const batch = median(rates.batch);
  yield finding('bare undici Pool, parses', yardstick);
  yield finding('bare undici Pool, parses nothing', median(rates.plain));
  yield finding('carbon batch', batch, ['at least', 0.9]);
  const seconds = median(cpuSeconds.batch);
  const what = 'carbon batch, processor time of 10,000 rows';
  yield { section, what, value: seconds, unit: 's' };
  const ratio = seconds / median(cpuSeconds.parsing);
  yield {
    section,
    what: 'the same, to that of the Pool that parses',
    value: seconds,
    unit: 's',
    ratio,
    goal: ['at most', 1.1],
  };
  for await (const [name, rate, min] of peers(server, rows, print)) {
    yield finding(name, rate);
    if (min === undefined) continue;
    const goal = ['at least', min] as const;
    yield {
      section,
      what: `carbon batch, to ${name}`,
      value: batch,
      unit: 'rows/s',
      ratio: batch / rate,
      goal,
    };
  }
  server.stop();
}

type Peer = [name: string, rate: number, min?: number];

async function* peers(
  { url }: LoadServer,
  rows: Rows,
  print: (text: string) => void,
): AsyncGenerator<Peer, void, void> {
  const address = `${url}/organizations`;
  const time = async (count: number, work: () => Promise<void>) => {
    const began = performance.now();
    await work();
    return (count / (performance.now() - began)) * 1000;
  };
  if (isInstalled('curl', '--parallel', '--version')) {
    const bodies = await bodiesOf(await writeSuppliers(rows.quickPeers));
    const config = `${temporaryDirectory}/curl.conf`;
    const transfer = (body: string) =>
      `url = "${address}"\nheader = "Content-Type: application/json"\noutput = "/dev/null"\ndata = ${JSON.stringify(body)}\n`;
    writeFileSync(config, bodies.map(transfer).join('next\n'));
    const many = [
      'curl',
      '--silent',
      '--no-progress-meter',
      '--parallel',
      '--parallel-max',
      `${inFlight}`,
    ] as const;
    yield ['curl --parallel', await time(bodies.length, () => run([...many, '--config', config]))];
  } else print('curl --parallel; not installed');
  const python = ['python3', '-c', 'import aiohttp'] as const;
  if (isInstalled(...python)) {
    const file = await writeSuppliers(rows.quickPeers);
    const job = ['python3', original('aiohttp_batch.py'), url, file, `${inFlight}`] as const;
    yield ['python aiohttp, the same job', await time(rows.quickPeers, () => run(job)), 4];
  } else print('python aiohttp; not installed');
  if (isInstalled('xargs', '-P16', '-0', 'true')) {
    const bodies = await bodiesOf(await writeSuppliers(rows.slowPeers));
    const each = [
      'curl',
      '-s',
      '-o',
      '/dev/null',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{}',
      address,
    ];
    const all = ['xargs', '-0', `-P${inFlight}`, '-I{}', ...each] as const;
    const input = bodies.join('\0');
    yield ['xargs -P16 curl', await time(bodies.length, () => run(all, {}, input)), 50];
  } else print('xargs -P16 curl; not installed');
}

async function bodiesOf(file: string): Promise<string[]> {
  const bodies: string[] = [];
  for await (const line of createInterface(createReadStream(file))) {
    const [name, hq_region, website, external_id] = line.split(',');
    bodies.push(JSON.stringify({ name, hq_region, website, external_id }));
  }
  return bodies.slice(1);
}
