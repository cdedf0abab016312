import { expect, test } from 'vitest'
import { decideReuse, reuseIntervalMs } from './refresh-token-reuse.ts'

const now = new Date('2026-03-02T09:00:00Z')
const usedAgo = (ms: number) => ({ hash: 'a', used: true, usedAt: new Date(now.getTime() - ms) })

test('an unused token is rotated', () => {
  expect(decideReuse({ hash: 'a', used: false, usedAt: now }, { parentHash: null }, now)).toBe('rotate')
})

test('the direct parent of the active token always yields that token', () => {
  expect(decideReuse(usedAgo(30 * 24 * 3_600_000), { parentHash: 'a' }, now)).toBe('return_active')
})

test('an older ancestor yields the active token within the reuse interval only', () => {
  expect(decideReuse(usedAgo(reuseIntervalMs - 1), { parentHash: 'b' }, now)).toBe('return_active')
  expect(decideReuse(usedAgo(reuseIntervalMs), { parentHash: 'b' }, now)).toBe('revoke_family')
})

test('a use that a node with a faster clock recorded is recent; one from before the clock was set back isn’t', () => {
  expect(decideReuse(usedAgo(-60_000), { parentHash: 'b' }, now)).toBe('return_active')
  expect(decideReuse(usedAgo(-3_600_000), { parentHash: 'b' }, now)).toBe('revoke_family')
  expect(decideReuse(usedAgo(-3_600_000), { parentHash: 'a' }, now)).toBe('return_active')
})

test('a family without an active token stays revoked', () => {
  expect(decideReuse(usedAgo(0), null, now)).toBe('revoke_family')
})
