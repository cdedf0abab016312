/**
 * `npm test [step …]`: runs the checks, the fastest first. Without arguments all steps run. Prints a summary with the time
 * of each step.
 */
import { spawnSync } from 'node:child_process'
import { ensureChromium } from './chromium.ts'
import { findPostgres, startPostgres } from './postgres.ts'

type Step = { name: string; run(): Promise<boolean | 'skipped'> | boolean | 'skipped' }

const command = (program: string, args: string[], env: Record<string, string> = {}) =>
  spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0

const node = (...args: string[]) => command(process.execPath, ['--disable-warning=ExperimentalWarning', ...args])

async function onPostgres(): Promise<boolean | 'skipped'> {
  const given = process.env.DATABASE_URL
  if (!given && !findPostgres()) {
    console.log(
      'Skipping the PostgreSQL tests: PostgreSQL isn’t installed. Install it or set DATABASE_URL to run them.',
    )
    return process.env.CI ? false : 'skipped'
  }
  const postgres = given ? null : await startPostgres()
  try {
    return command('vitest', ['run', '--project', 'integration'], { DATABASE_URL: given ?? postgres?.url ?? '' })
  } finally {
    await postgres?.stop()
  }
}

const steps: Step[] = [
  {
    name: 'types',
    run: () => ['server', 'client', 'e2e'].every((world) => command('tsc', ['-p', `tsconfig.${world}.json`])),
  },
  { name: 'lint', run: () => command('biome', ['ci', '.']) },
  { name: 'structure', run: () => node('scripts/check-structure.ts') && command('knip', ['--no-progress']) },
  { name: 'unit', run: () => command('vitest', ['run', '--project', 'unit']) },
  { name: 'build', run: () => node('scripts/build.ts') },
  {
    name: 'integration',
    // The sandbox's own tests open its pages where they are told of a browser.
    run: () =>
      command('vitest', ['run', '--project', 'integration'], { DATABASE_URL: '', CHROMIUM_PATH: ensureChromium() }),
  },
  { name: 'postgres', run: onPostgres },
  { name: 'browser', run: () => command('playwright', ['test'], { CHROME_PATH: ensureChromium() }) },
]

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`Unknown step: ${unknown.join(', ')}. The steps are ${steps.map((step) => step.name).join(', ')}.`)
  process.exit(1)
}

const summary: string[] = []
const count = { passed: 0, failed: 0, skipped: 0 }
for (const step of steps) {
  if (wanted.length > 0 && !wanted.includes(step.name)) continue
  console.log(`\n== ${step.name}`)
  const startedAt = Date.now()
  const outcome = await step.run()
  const word = outcome === 'skipped' ? 'skipped' : outcome ? 'passed' : 'failed'
  count[word] += 1
  summary.push(`${word.padEnd(8)} ${step.name.padEnd(12)} ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}
console.log(
  `\n${summary.join('\n')}\n\nSteps: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`,
)
process.exit(count.failed > 0 ? 1 : 0)
