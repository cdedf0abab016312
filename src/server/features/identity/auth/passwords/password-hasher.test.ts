import { availableParallelism } from 'node:os'
import bcrypt from 'bcrypt'
import { expect, test } from 'vitest'
import { createPasswordHasher } from './password-hasher.ts'

const cheap = { memoryKiB: 64, passes: 1 }

test('a hash contains its parameters and matches only its password', async () => {
  const hasher = createPasswordHasher(cheap)
  const stored = await hasher.hash('six or more')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  expect(await hasher.verify(stored, 'six or more')).toBe(true)
  expect(await hasher.verify(stored, 'six or less')).toBe(false)
  for (const nothing of [null, undefined, '', '!']) expect(await hasher.verify(nothing, 'six or more')).toBe(false)
})

test('requests beyond the queue limit are refused immediately, and queued ones are served', async () => {
  const hasher = createPasswordHasher(cheap)
  const outcomes = await Promise.allSettled(Array.from({ length: 1_000 }, () => hasher.hash('six or more')))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(outcomes.length - refused.length).toBe(400 + availableParallelism())
  expect(refused[0]).toMatchObject({ reason: { code: 'over_request_rate_limit', status: 429 } })
})

test('a lockout during the wait is noticed before the comparison', async () => {
  const hasher = createPasswordHasher(cheap)
  const stored = await hasher.hash('six or more')
  const locked = new Error('locked')
  await expect(hasher.verify(stored, 'six or more', () => Promise.reject(locked))).rejects.toBe(locked)
})

test('imported hashes are verified and count as outdated', async () => {
  const hasher = createPasswordHasher(cheap)
  const brought = [
    // Hashes from PHP, Python and Ruby, which use different prefixes for the same algorithm.
    ...['$2a$', '$2b$', '$2y$'].map((name) => bcrypt.hashSync('six or more', 4).replace('$2b$', name)),
    await createPasswordHasher({ memoryKiB: 128, passes: 2 }).hash('six or more'),
    '$argon2i$v=19$m=16,t=2,p=1$c29tZXNhbHQxMjM$Ab2wLVuzmPv7wqH6pRxYQA',
  ]
  for (const stored of brought.slice(0, 4)) {
    expect(await hasher.verify(stored, 'six or more')).toBe(true)
    expect(await hasher.verify(stored, 'six or less')).toBe(false)
  }
  for (const stored of brought) expect(hasher.isOutdated(stored)).toBe(true)
  expect(hasher.isOutdated(await hasher.hash('six or more'))).toBe(false)
})

test('a password that differs only beyond 72 bytes is refused with bcrypt', async () => {
  const hasher = createPasswordHasher(cheap)
  const password = 'x'.repeat(72)
  const stored = bcrypt.hashSync(password, 4)
  expect(await hasher.verify(stored, password)).toBe(true)
  expect(await hasher.verify(stored, `${password}y`)).toBe(false)
})

test('a hash that is too expensive is not verified', async () => {
  const hasher = createPasswordHasher(cheap)
  const dear = [
    bcrypt.hashSync('six or more', 4).replace('$04$', '$31$'),
    '$argon2id$v=19$m=4194304,t=3,p=1$c29tZXNhbHQxMjM$Ab2wLVuzmPv7wqH6pRxYQA',
    '$argon2id$v=19$m=64,t=100000,p=1$c29tZXNhbHQxMjM$Ab2wLVuzmPv7wqH6pRxYQA',
    '$argon2id$garbage',
    '$2b$10$tooshort',
  ]
  for (const stored of dear) expect(await hasher.verify(stored, 'six or more')).toBe(false)
})
