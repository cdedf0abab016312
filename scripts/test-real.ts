/**
 * `npm run test:real [part …]`: all parts of `tests/real`, or only the named ones; `-part` leaves one out. Each installs
 * what it needs from the distribution or the registry. A part that can't be installed here is skipped with the reason.
 */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Checks, RealPart } from '../tests/real/support/part.ts'

const directory = join(import.meta.dirname, '../tests/real')
const names = readdirSync(directory)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => basename(file, '.ts'))
  .sort()

const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !names.includes(name.replace(/^-/, '')))
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. The parts are ${names.join(', ')}.`)
  process.exit(1)
}
const wanted = requested.filter((name) => !name.startsWith('-'))
const selected = names.filter(
  (name) => (wanted.length === 0 || wanted.includes(name)) && !requested.includes(`-${name}`),
)

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const indent = (text: string) => text.replaceAll('\n', '\n      ')
const secondsSince = (startedAt: number) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`

const total = { passed: 0, failed: 0, skipped: 0 }

/** Runs a part and returns its line of the summary. */
async function runPart(name: string): Promise<string> {
  console.log(`\n== ${name}`)
  const startedAt = Date.now()
  const count = { passed: 0, failed: 0, skipped: 0 }
  let hint = ''
  const checks: Checks = {
    async check(title, test) {
      const from = Date.now()
      try {
        await test()
        count.passed += 1
        console.log(`  passed  ${title} (${secondsSince(from)})`)
        return true
      } catch (error) {
        count.failed += 1
        const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
        console.log(`  failed  ${title} (${secondsSince(from)})\n      ${indent(details)}`)
        return false
      }
    },
    skip(title, why) {
      count.skipped += 1
      console.log(`  skipped ${title}: ${why}`)
    },
    note: (line) => console.log(`  ${line}`),
  }
  const { default: part } = (await import(join(directory, `${name}.ts`))) as { default: RealPart }
  try {
    await part.install()
  } catch (error) {
    hint = messageOf(error)
    checks.skip(name, hint)
  }
  if (!hint) {
    try {
      await part.run(checks)
    } catch (error) {
      await checks.check(`${name} runs to its end`, () => Promise.reject(error))
    }
  }
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += count[key]
  const numbers = `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`
  return `${name.padEnd(14)} ${numbers.padEnd(36)} ${secondsSince(startedAt).padStart(9)}  ${hint}`.trimEnd()
}

const summary: string[] = []
for (const name of selected) summary.push(await runPart(name))
console.log(`\n${summary.join('\n')}\n\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed > 0 ? 1 : 0)
