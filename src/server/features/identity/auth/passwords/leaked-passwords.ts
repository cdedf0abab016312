import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A Bloom filter: 16 bits for each password and 11 probes, so that 1 of 2,000 other passwords is taken for a leaked one. */
const bitsPerPassword = 16
const probes = 11

export const leakedPasswordsFile = new URL('./leaked-passwords.bin', import.meta.url)

/** Bytes of the filter that contains the passwords. Used by scripts/build-leaked-passwords.ts. */
export function createFilter(passwords: ReadonlySet<string>): Buffer {
  const filter = Buffer.alloc(Math.ceil((passwords.size * bitsPerPassword) / 8))
  for (const password of passwords) {
    for (const bit of bitsOf(password, filter.length)) filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  return filter
}

let known: Buffer | undefined

/** Returns true if the password is among 1.2 million leaked ones. Case-insensitive. */
export function isLeakedPassword(password: string): boolean {
  known ??= readFileSync(leakedPasswordsFile)
  const filter = known
  return bitsOf(password.toLowerCase(), filter.length).every(
    (bit) => ((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0,
  )
}

/** Double hashing: two halves of one digest give all probes. */
function bitsOf(password: string, bytes: number): number[] {
  const digest = createHash('sha256').update(password).digest()
  const bits = bytes * 8
  const [first, step] = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6)]
  return Array.from({ length: probes }, (_, index) => (first + index * step) % bits)
}
