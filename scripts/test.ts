/**
 * `npm test [step …]` runs the checks for a fresh clone, or only the named steps, cheapest first. `npm run test:rest`
 * (`--rest`) runs all other tests. `npm run test:all` (`--all`) runs both and leaves no case out. Steps that keep one core
 * busy run two at a time. The summary at the end shows each step's result and time, and how to get what was skipped.
 */
import './temporary-files-in-memory.ts'
import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { ensureChromium } from './chromium.ts'
import { startPostgres, type TemporaryPostgres } from './postgres.ts'
import type { Part } from './test-parts.ts'

/** `skipped` says why, and how to run the step. */
type Outcome = boolean | { skipped: string }
type Command = (program: string, args: string[], env?: Record<string, string>) => Promise<boolean>
/** `part` is 'main' by default. */
type Step = { name: string; part?: Part; cores: 1 | 2; run(command: Command): Promise<Outcome> }

const requested = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isAll = process.argv.includes('--all')
const parts: readonly Part[] = isAll ? ['main', 'rest'] : [process.argv.includes('--rest') ? 'rest' : 'main']
// Tests read it too: it decides how many cases they run.
if (isAll) process.env.TEST_ALL = '1'

const availableCores = 2

const nodeArgs = (...args: string[]) => ['--disable-warning=ExperimentalWarning', ...args]

/** Runs a program and passes its output to `onOutput`, or straight to the terminal without it. */
function execute(onOutput?: (chunk: Buffer) => void): Command {
  return (program, args, env = {}) =>
    new Promise((resolve) => {
      const child = spawn(program, args, {
        stdio: onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit',
        env: { ...process.env, ...(onOutput && process.stdout.isTTY && { FORCE_COLOR: '1' }), ...env },
      })
      child.stdout?.on('data', (chunk: Buffer) => onOutput?.(chunk))
      child.stderr?.on('data', (chunk: Buffer) => onOutput?.(chunk))
      child.on('error', (error) => {
        console.error(error.message)
        resolve(false)
      })
      child.on('close', (code) => resolve(code === 0))
    })
}

/** Runs the commands one after another until one fails. */
async function inOrder(command: Command, ...commands: [string, string[]][]): Promise<boolean> {
  for (const [program, args] of commands) if (!(await command(program, args))) return false
  return true
}

/** With several checkers, each checks the common types again, and another step is using the other core. */
const checkTypes = (project: string): [string, string[]] => ['tsc', ['-p', project, '--checkers', '1']]

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The browser, or the reason why there is none. Looked for once, since it may be downloaded. */
let browser: { path: string } | { missing: string } | undefined
function findBrowser() {
  try {
    browser ??= { path: ensureChromium() }
  } catch (error) {
    browser = { missing: messageOf(error) }
  }
  return browser
}

async function onPostgres(command: Command): Promise<Outcome> {
  const run = (url: string) => command('vitest', ['run', '--project', 'integration'], { DATABASE_URL: url })
  if (process.env.DATABASE_URL) return run(process.env.DATABASE_URL)
  let postgres: TemporaryPostgres
  try {
    postgres = await startPostgres()
  } catch (error) {
    return { skipped: messageOf(error) }
  }
  try {
    return await run(postgres.url)
  } finally {
    await postgres.stop()
  }
}

function onPglite(command: Command, part: Part): Promise<boolean> {
  const found = findBrowser()
  return command('vitest', ['run', '--project', 'integration'], {
    DATABASE_URL: '',
    TEST_PART: part,
    // For the Stripe sandbox's page tests, which run without a browser if it is empty.
    CHROMIUM_PATH: 'path' in found ? found.path : '',
  })
}

async function inBrowser(command: Command, part: Part): Promise<Outcome> {
  const found = findBrowser()
  if ('missing' in found) return { skipped: `${found.missing} Pages of the Stripe sandbox weren’t tested either.` }
  return command('playwright', ['test'], { CHROME_PATH: found.path, TEST_PART: part })
}

const steps: Step[] = [
  {
    name: 'types',
    cores: 1,
    run: (command) =>
      inOrder(
        command,
        ...['server', 'client', 'worker', 'e2e'].map((project) => checkTypes(`tsconfig.${project}.json`)),
      ),
  },
  { name: 'lint', cores: 1, run: (command) => command('biome', ['ci', '.']) },
  {
    name: 'structure',
    cores: 1,
    run: (command) =>
      inOrder(command, [process.execPath, nodeArgs('scripts/check-structure.ts')], ['knip', ['--no-progress']]),
  },
  { name: 'content', cores: 1, run: (command) => command(process.execPath, nodeArgs('scripts/check-content.ts')) },
  { name: 'audit', cores: 1, run: (command) => command(process.execPath, nodeArgs('scripts/audit.ts')) },
  { name: 'build', cores: 1, run: (command) => command(process.execPath, nodeArgs('scripts/build.ts')) },
  { name: 'unit', cores: 2, run: (command) => command('vitest', ['run', '--project', 'unit']) },
  { name: 'pglite', cores: 2, run: (command) => onPglite(command, 'main') },
  { name: 'browser', cores: 2, run: (command) => inBrowser(command, 'main') },
  { name: 'postgres', part: 'rest', cores: 2, run: onPostgres },
  { name: 'pglite', part: 'rest', cores: 2, run: (command) => onPglite(command, 'rest') },
  { name: 'browser', part: 'rest', cores: 2, run: (command) => inBrowser(command, 'rest') },
]

const chosen = steps.filter(({ part = 'main' }) => parts.includes(part))
const unknown = requested.filter((name) => !chosen.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`Unknown step: ${unknown.join(', ')}. The steps are ${chosen.map((step) => step.name).join(', ')}.`)
  process.exit(1)
}

const count = { passed: 0, failed: 0, skipped: 0 }

/** The lines in which vitest and Playwright name a test that failed or needed a second try. */
const testLine = /^\s*(?:FAIL\s|×\s|\d+\) \[)|\(retry x\d/
const mostNamed = 30

function namesOfTests(output: string): string[] {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => testLine.test(line))
  return [...new Set(lines.map((line) => `    ${line.trim()}`))].slice(0, mostNamed)
}

/**
 * Runs a step and returns its lines of the summary, which name the tests that failed where the output isn't a terminal's.
 * The output of a step that shares the cores is printed at its end.
 */
async function runStep({ name, cores, run }: Step): Promise<string> {
  const output: Buffer[] = []
  const isAlone = cores === availableCores
  if (isAlone) console.log(`\n== ${name}`)
  const startedAt = Date.now()
  const outcome = await run(
    isAlone && process.stdout.isTTY
      ? execute()
      : execute((chunk) => {
          output.push(chunk)
          if (isAlone) process.stdout.write(chunk)
        }),
  )
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  if (!isAlone) process.stdout.write(`\n== ${name}\n${Buffer.concat(output)}`)
  const hint = typeof outcome === 'object' ? outcome.skipped : ''
  // On a build server, a check that didn't run must not look like one that passed.
  const result = hint && !process.env.CI ? 'skipped' : outcome === true ? 'passed' : 'failed'
  count[result] += 1
  const line = `${result.padEnd(8)} ${name.padEnd(12)} ${seconds.padStart(6)} s  ${hint}`.trimEnd()
  return [line, ...namesOfTests(Buffer.concat(output).toString())].join('\n')
}

const summary: Promise<string>[] = []
const running = new Map<Step, Promise<string>>()
for (const step of chosen) {
  if (requested.length > 0 && !requested.includes(step.name)) continue
  const coresInUse = () => [...running.keys()].reduce((sum, { cores }) => sum + cores, 0)
  while (coresInUse() + step.cores > availableCores) await Promise.race(running.values())
  const result = runStep(step).finally(() => running.delete(step))
  running.set(step, result)
  summary.push(result)
}
const lines = await Promise.all(summary)
console.log(`\n${lines.join('\n')}\n\nSteps: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
process.exit(count.failed > 0 ? 1 : 0)
