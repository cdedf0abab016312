import { expect, test } from 'vitest'
import { warmUpLimit } from './sending-limits.ts'

const warmUp = { startedOn: '2026-11-01', firstDay: 100, growth: 2, end: 1_000 }
const limitAt = (now: string) => warmUpLimit(warmUp, 'America/New_York', new Date(now))

test('before its first day a warm-up limits nothing', () => {
  expect(limitAt('2026-10-01T12:00:00Z')).toBeNull()
  expect(limitAt('2026-11-01T03:59:59Z')).toBeNull()
})

test('a warm-up day lasts from midnight to midnight in the publication’s time zone, even when the clocks change', () => {
  expect(limitAt('2026-11-01T04:00:00Z')).toEqual({
    limit: 100,
    since: new Date('2026-11-01T04:00:00Z'),
    until: new Date('2026-11-02T05:00:00Z'),
  })
  expect(limitAt('2026-11-02T04:59:59Z')?.limit).toBe(100)
  expect(limitAt('2026-11-02T05:00:00Z')?.limit).toBe(200)
})

test('a warm-up is over on the day that would reach its end', () => {
  expect(limitAt('2026-11-04T12:00:00Z')?.limit).toBe(800)
  expect(limitAt('2026-11-05T12:00:00Z')).toBeNull()
  expect(limitAt('2036-11-05T12:00:00Z')).toBeNull()
})
