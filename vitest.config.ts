import './scripts/temporary-files-in-memory.ts'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { longOnPglite, withoutPostgres } from './scripts/test-parts.ts'

/** Files that take longest. Started last, one of them would run on alone after all others are done. */
const longest = /(robustness\/kill|operator\/control-server|backup\/restore)\.test\.ts$/

const filesOf = (paths: readonly string[]) => paths.map((path) => path.replace(/\/$/, '/**/*.test.ts'))

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    // Each file has its own database: files run in parallel, the tests of a file in sequence.
    maxWorkers: 2,
    // Files share imports and the compiled PGlite, which cost more than most files' tests. Modules keep no state between
    // files, except what belongs to a database.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    setupFiles: ['tests/support/property-seed.ts'],
    execArgv: ['--import', './tests/support/cache-module-resolution.ts', '--disable-warning=ExperimentalWarning'],
    // Generous, because a busy machine must not fail a test.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // A second try on a build server; the summary names each test that needed it.
    retry: process.env.CI ? 1 : 0,
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
          include:
            process.env.TEST_PART === 'rest'
              ? filesOf(longOnPglite)
              : ['tests/integration/**/*.test.ts', 'packages/**/*.test.ts'],
          exclude: [
            ...configDefaults.exclude,
            ...filesOf(process.env.DATABASE_URL ? withoutPostgres : []),
            ...filesOf(process.env.TEST_PART === 'main' ? longOnPglite : []),
          ],
        },
      },
    ],
  },
})
