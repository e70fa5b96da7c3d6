'use strict';
/* Preloaded: writes the resources that the process used to the file CARBON_BENCH_RESOURCES. */
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(
    process.env['CARBON_BENCH_RESOURCES'] ?? '',
    JSON.stringify({
      cpuMs: (userCPUTime + systemCPUTime) / 1000,
      peakMb: ((peakKiB() ?? maxRSS) * 1024) / 1e6,
    }),
  );
});

/** Reads the peak memory from /proc: on Linux, maxRSS of a child includes its parent's memory. */
function peakKiB() {
  try {
    const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return peak === undefined ? undefined : Number(peak);
  } catch {
    return undefined;
  }
}
