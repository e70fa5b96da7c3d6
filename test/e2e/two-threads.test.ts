import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openReduction, type ReductionName } from '../../src/cli/record-reduction.ts';
import type { SlabResult } from '../../src/records/record-slab.ts';
import { type Counts, readReduced } from '../../src/records/records.ts';
import type { SlabThread } from '../../src/records/slab-queue.ts';
import { startWorkerThread, type WorkerThread } from '../../src/runtime/worker-thread.ts';
import { standardCsv } from '../../src/table/output-cell.ts';
import { anyRecord } from '../footprint/records.ts';
import { file } from '../report/inputs.ts';
import { runs } from '../support/seed.ts';

const program = fileURLToPath(new URL('../../dist/record-thread.cjs', import.meta.url));
const tasks: readonly ReductionName[] = [
  { kind: 'entry', withSources: true },
  {
    kind: 'facts',
    spend: [
      { currency: 'EUR', year: 2023 },
      { currency: null, year: null },
    ],
    boundary: 'cradle-to-gate',
    fallback: 'industry',
  },
  {
    kind: 'selection',
    query: { sort: '-score,name', where: ['score!='] },
    form: { format: 'csv', isTerminal: false, csv: standardCsv },
  },
  {
    kind: 'selection',
    query: {},
    form: { format: 'human', isTerminal: false, csv: undefined },
  },
];
const [task] = tasks as [ReductionName];

type Read = { counts: Counts; found: unknown[] } | { error: string; found: unknown[] };

/* Reads chunks, with another thread after the first bytes if there is one. */
async function read(
  chunks: readonly Buffer[],
  name: ReductionName,
  thread?: SlabThread<string>,
): Promise<Read> {
  const found: unknown[] = [];
  try {
    const counts = await readReduced([file([...chunks]), file('{"id":1,"name":"B"}\n', 'b')], {
      ...(await openReduction(name)),
      onReduced: (text, key) => void found.push([key, text]),
      startThread: async () => thread,
      aloneBytes: 64,
      slabBytes: 1_024,
    });
    return { counts, found };
  } catch (error) {
    return { error: String(error), found };
  }
}

function slabsOf(thread: WorkerThread): SlabThread<string> {
  return {
    read: (slab) => thread.request(slab) as Promise<SlabResult<string>>,
  };
}

const record = fc.record(
  {
    id: fc.oneof(fc.nat(5), fc.string({ maxLength: 3 }), fc.constant(2 ** 60)),
    name: fc.oneof(fc.string(), fc.constant('Öl 😀')),
    score: fc.oneof(fc.double(), fc.string()),
    ok: fc.boolean(),
    record: fc.record({ id: fc.nat(5), name: fc.string() }),
    performances: fc.array(fc.record({ year: fc.nat(2200), emissions: fc.jsonValue() })),
  },
  { requiredKeys: [] },
);
const ordinary = fc
  .oneof(record, anyRecord)
  .map((value) => JSON.stringify({ id: 7, name: 'A', ...value }));
const line = fc.oneof(
  { weight: 40, arbitrary: ordinary },
  { weight: 4, arbitrary: fc.constantFrom('', '  ', '\r', '{"error":{}}', '{"line":1,"ok":true}') },
  { weight: 2, arbitrary: fc.array(record).map((list) => JSON.stringify(list)) },
  { weight: 2, arbitrary: record.map((value) => JSON.stringify(value, null, 2)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('12', '{', '}', '[', '{"id":1', '\ufeff{}', 'x'.repeat(700)),
  },
  { weight: 1, arbitrary: fc.constant(JSON.stringify({ id: 3, name: 'x'.repeat(1_500) })) },
  { weight: 1, arbitrary: fc.constant('\udc80') },
);
const input = fc
  .tuple(
    fc.array(line, { maxLength: 60 }),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
    fc.constantFrom('', '\ufeff'),
  )
  .map(([lines, lineEnd, isEnded, mark]) => {
    const text = mark + lines.join(lineEnd) + (isEnded ? lineEnd : '');
    // A lone surrogate stands for a byte that is no UTF-8.
    return Buffer.concat(
      text
        .split(/(\udc80)/)
        .map((part) => (part === '\udc80' ? Buffer.from([0xff]) : Buffer.from(part))),
    );
  });

function chunksOf(bytes: Buffer, size: number): Buffer[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

describe('readReduced', () => {
  it.each(tasks)(
    'finds on two threads what it finds on one, and reports the same errors ($kind)',
    {
      tags: ['property'],
    },
    async (name) => {
      const thread = startWorkerThread(name, program) as WorkerThread;
      onTestFinished(() => thread.close());
      await fc.assert(
        fc.asyncProperty(input, fc.integer({ min: 1, max: 700 }), async (bytes, size) => {
          const chunks = chunksOf(bytes, size);
          expect(await read(chunks, name, slabsOf(thread))).toEqual(await read(chunks, name));
        }),
        { numRuns: runs(2_000) },
      );
    },
  );

  it('reads everything when the thread ends early', async () => {
    const lines = Array.from({ length: 500 }, (_, id) => `{"id":${id},"name":"A"}\n`);
    const chunks = chunksOf(Buffer.from(lines.join('')), 300);
    const alone = await read(chunks, task);
    for (const programOfThread of [program, `${program}.missing`]) {
      const thread = startWorkerThread(task, programOfThread) as WorkerThread;
      let requests = 0;
      const ending = slabsOf({
        ...thread,
        request: (message) => {
          requests += 1;
          if (requests === 5) void thread.close();
          return thread.request(message);
        },
      });
      expect(await read(chunks, task, ending)).toEqual(alone);
      expect(requests).toBeGreaterThan(0);
    }
  });
});
