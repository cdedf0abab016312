import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { createPasswordHasher } from './password-hasher.ts'

const cheap = { memoryKiB: 64, passes: 1 }

test('a hash names its own parameters and fits its password alone', async () => {
  const hasher = createPasswordHasher(cheap)
  const stored = await hasher.hash('six or more')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  expect(await hasher.verify(stored, 'six or more')).toBe(true)
  expect(await hasher.verify(stored, 'six or less')).toBe(false)
  for (const nothing of [null, undefined, '', '!']) expect(await hasher.verify(nothing, 'six or more')).toBe(false)
})

test('beyond a bounded queue hashing is refused at once, and what waits is served', async () => {
  const hasher = createPasswordHasher(cheap)
  const outcomes = await Promise.allSettled(Array.from({ length: 1_000 }, () => hasher.hash('six or more')))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(outcomes.length - refused.length).toBe(400 + availableParallelism())
  expect(refused[0]).toMatchObject({ reason: { code: 'over_request_rate_limit', status: 429 } })
})

test('a lock that falls while a try waits is seen when its turn comes', async () => {
  const hasher = createPasswordHasher(cheap)
  const stored = await hasher.hash('six or more')
  const locked = new Error('locked')
  await expect(hasher.verify(stored, 'six or more', () => Promise.reject(locked))).rejects.toBe(locked)
})
