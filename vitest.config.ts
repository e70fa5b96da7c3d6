import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    env: { TZ: 'Pacific/Kiritimati', LANG: 'C' },
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 20_000,
  },
});
