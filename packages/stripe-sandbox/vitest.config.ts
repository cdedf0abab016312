import { defineConfig } from 'vitest/config'

/** For `npm test` in this folder: these tests and no others. */
export default defineConfig({
  test: {
    hookTimeout: 120_000,
    include: ['tests/**/*.test.ts'],
    maxWorkers: 2,
    root: import.meta.dirname,
    // No test measures time; a busy machine must not fail one.
    testTimeout: 120_000,
  },
})
