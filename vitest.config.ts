import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { tableWithCellWidth } from './build/cell-width.js';

export default defineConfig(({ mode }) => ({
  plugins: [tableWithCellWidth],
  test: {
    include: ['test/**/*.test.ts'],
    env: { TZ: 'Pacific/Kiritimati', LANG: 'C', TEST_MODE: mode },
    // Without this, vitest imports every style sheet as an empty text.
    css: true,
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: ['test/support/seed.ts', 'test/support/snapshots.ts'],
    // A busy machine takes ten times as long. No test waits for a fixed time, so only a test that
    // hangs reaches this limit.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A worker loads what it tests of src/ and dist/ once, and then runs one test file after the
    // other. Some tests wait for a child process or a timer, so that two workers leave a processor
    // idle, and four on two processors only load src/ once more.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    isolate: false,
    // Keeps the transformed modules in node_modules/ for the next run.
    experimental: { fsModuleCache: true },
    tags: [
      {
        name: 'long',
        description: 'Takes long: kills, large inputs. Only `npm run test:long` runs such tests.',
        timeout: 600_000,
      },
      {
        name: 'programs',
        description:
          'Runs a program that may not be installed (see test/support/programs.ts). Only `npm run test:programs` runs such tests.',
        timeout: 600_000,
      },
      {
        name: 'property',
        description:
          'Checks more values in `npm run test:long` (see `runs` in test/support/seed.ts).',
      },
    ],
  },
}));
