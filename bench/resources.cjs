'use strict';
/* Tells what this process used, in the file that CARBON_BENCH_RESOURCES names. */
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(
    process.env['CARBON_BENCH_RESOURCES'] ?? '',
    JSON.stringify({
      cpuMs: (userCPUTime + systemCPUTime) / 1000,
      peakMiB: (peakKiB() ?? maxRSS) / 1024,
    }),
  );
});

/** Linux counts the parent's memory into maxRSS of a child, but not here. */
function peakKiB() {
  try {
    const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return peak === undefined ? undefined : Number(peak);
  } catch {
    return undefined;
  }
}
