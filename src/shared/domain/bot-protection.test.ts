import { expect, test } from 'vitest'
import { leadingZeroBits, solveProofOfWork } from './bot-protection.ts'

test.each([
  [[0xff], 0],
  [[0x7f], 1],
  [[0x01, 0xff], 7],
  [[0x00, 0x80], 8],
  [[0x00, 0x00, 0x10], 19],
  [[0x00, 0x00], 16],
])('%j begins with %i zero bits', (bytes, bits) => {
  expect(leadingZeroBits(Uint8Array.from(bytes))).toBe(bits)
})

test('the solution begins with the challenge and has the required number of zero bits', async () => {
  const answer = await solveProofOfWork({ challenge: 'a task', bits: 10 })
  expect(answer).toMatch(/^a task:[0-9a-z]+$/)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(answer))
  expect(leadingZeroBits(new Uint8Array(digest))).toBeGreaterThanOrEqual(10)
})
