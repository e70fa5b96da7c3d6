/* Flags of V8 that carbon sets while it runs. */
const minYoungGenerationBytes = 16 * 2 ** 20;

/**
 * Disables the recompilation of WebAssembly.
 *
 * Saves about 70 ms at the end of a short command on Node 20 (bench/start-up.ts): V8 recompiles
 * undici's WebAssembly parser in the background, and Node waits for it. The flag slows down later
 * versions and long runs.
 */
export async function disableWasmTierUp(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--wasm-tiering-budget=1000000000');
}

/**
 * Makes V8 collect old objects when their space has grown by 30 %, instead of up to 300 %.
 *
 * Saves 10 to 30 MiB of a command that keeps much of what it reads (bench/footprint.ts), and costs
 * no measurable time.
 */
export async function limitHeapGrowth(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--heap-growing-percent=30');
}

/**
 * Returns a function that limits the heap space of young objects.
 *
 * Keeps the memory of a batch independent of its length (bench/memory.ts): V8 doubles the space of
 * young objects up to 128 MiB (Node 24), although a response is garbage as soon as it was read. The
 * growth factor is the only related flag that V8 obeys after its start.
 */
export async function limitYoungGeneration(): Promise<() => void> {
  const { getHeapSpaceStatistics, setFlagsFromString } = await import('node:v8');
  let isLimited = false;
  return () => {
    if (isLimited) return;
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    isLimited = (young?.space_size ?? 0) >= minYoungGenerationBytes;
    if (isLimited) setFlagsFromString('--semi-space-growth-factor=1');
  };
}
