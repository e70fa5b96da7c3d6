import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    env: { TZ: 'Pacific/Kiritimati', LANG: 'C', TEST_MODE: mode },
    // Without this, vitest imports every style sheet as an empty text.
    css: true,
    setupFiles: ['test/support/seed.ts'],
    // A busy machine takes ten times as long. No test waits for a fixed time, so only a test that
    // hangs reaches this limit.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One process per processor loads src/ once and then runs one test file after the other.
    maxWorkers: '100%',
    isolate: false,
    tags: [
      {
        name: 'long',
        description:
          'Takes long: kills, large inputs, the browser. Only `npm run test:long` runs such tests.',
      },
      {
        name: 'property',
        description:
          'Checks more values in `npm run test:long` (see `runs` in test/support/seed.ts).',
      },
    ],
  },
}));
