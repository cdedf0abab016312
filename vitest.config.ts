import { configDefaults, defineConfig } from 'vitest/config'

/** Tests that never touch the database of DATABASE_URL: running them a second time would tell nothing new. */
const withoutOurDatabase = [
  'tests/integration/stripe-sandbox/**',
  'tests/integration/mail/**',
  'tests/integration/robustness/kill.test.ts',
]

export default defineConfig({
  test: {
    // One database per file: files run side by side on the cores there are, tests of a file one after the other.
    maxWorkers: 2,
    // No test measures time; a busy machine must not fail one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts', 'tests/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...(process.env.DATABASE_URL ? withoutOurDatabase : [])],
        },
      },
    ],
  },
})
