/**
 * `npm run bench -- leaked-passwords`: what the filter of leaked passwords takes to load and to ask, in time and memory, how
 * many other passwords it takes for leaked ones, and what a set of the same passwords takes.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isLeakedPassword } from '#server/features/identity/auth/passwords/leaked-passwords.ts'
import { readLeakedPasswords } from '../scripts/leaked-password-lists.ts'
import { round } from './support/statistics.ts'

const others = 1_000_000
const checks = 200_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function memory() {
  collectGarbage()
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
  return { rss, held: heapUsed + arrayBuffers }
}

function measure(work: () => void) {
  const before = memory()
  const startedAt = performance.now()
  work()
  const milliseconds = performance.now() - startedAt
  const after = memory()
  return {
    milliseconds: round(milliseconds, 1),
    'held MB': round((after.held - before.held) / 1e6, 1),
    'RSS MB': round((after.rss - before.rss) / 1e6, 1),
  }
}

/** Processor time of one check, in microseconds. */
function microsPerCheck(passwords: readonly string[], isExpected: (count: number) => boolean): number {
  const before = process.cpuUsage()
  const found = passwords.filter(isLeakedPassword).length
  const { user, system } = process.cpuUsage(before)
  if (!isExpected(found)) throw new Error(`${found} of ${passwords.length} were found`)
  return round((user + system) / passwords.length, 2)
}

const load = measure(() => isLeakedPassword('the first check loads the filter'))
let leaked = new Set<string>()
const set = measure(() => {
  leaked = readLeakedPasswords()
})
console.log(`${leaked.size} passwords`)
console.table({ filter: load, 'a set of the same passwords': set })

const some = [...leaked].filter((_, index) => index % Math.floor(leaked.size / checks) === 0).slice(0, checks)
const random = Array.from({ length: others }, () => Math.random().toString(36).slice(2, 12)).filter(
  (each) => !leaked.has(each),
)
microsPerCheck(some.slice(0, 20_000), (found) => found === 20_000)
console.table({
  'a leaked password: CPU µs': microsPerCheck(some, (found) => found === some.length),
  'another password: CPU µs': microsPerCheck(random.slice(0, checks), (found) => found < checks),
})
const wrong = random.filter(isLeakedPassword).length
console.log(
  `${wrong} of ${random.length} other passwords are taken for a leaked one, 1 of ${round(random.length / wrong)}`,
)
