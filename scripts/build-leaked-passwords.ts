/** `node scripts/build-leaked-passwords.ts`: builds the filter of leaked passwords that ships. */
import { writeFileSync } from 'node:fs'
import { createFilter, leakedPasswordsFile } from '#server/features/identity/auth/passwords/leaked-passwords.ts'
import { readLeakedPasswords } from './leaked-password-lists.ts'

const passwords = readLeakedPasswords()
const filter = createFilter(passwords)
writeFileSync(leakedPasswordsFile, filter)
console.log(`${passwords.size} passwords, ${filter.length} bytes`)
