import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that never touch the database of DATABASE_URL: running them a second time would tell nothing new. */
const withoutOurDatabase = [
  'packages/**',
  'tests/integration/mail/**',
  'tests/integration/robustness/kill.test.ts',
  'tests/integration/operator/control-server.test.ts',
]

/** Small files that start whole servers; begun last, one of them would keep a single core busy long after the others. */
const longest = /(robustness\/kill|operator\/control-server)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    // One database per file: files run side by side on the cores there are, tests of a file one after the other.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    setupFiles: ['tests/support/property-seed.ts'],
    execArgv: ['--import', './tests/support/remember-imports.ts', '--disable-warning=ExperimentalWarning'],
    // No test measures time; a busy machine must not fail one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'tests/unit/**/*.test.ts'],
          exclude: configDefaults.exclude,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          globalSetup: ['tests/support/migrate-once.ts'],
          // Importing the server and compiling the embedded database took longer than what most files do with them. What
          // our modules keep, they keep by database or not at all, so that files do not notice one another.
          isolate: false,
          include: ['tests/integration/**/*.test.ts', 'packages/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...(process.env.DATABASE_URL ? withoutOurDatabase : [])],
        },
      },
    ],
  },
})
