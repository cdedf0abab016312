import { expect, test } from 'vitest'
import { quietEnd } from './push.ts'

test.each([
  ['2026-11-23T01:59:59Z', 'America/New_York', null],
  ['2026-11-23T02:00:00Z', 'America/New_York', '2026-11-23T12:00:00.000Z'],
  ['2026-11-23T11:59:59Z', 'America/New_York', '2026-11-23T12:00:00.000Z'],
  ['2026-11-23T12:00:00Z', 'America/New_York', null],
  ['2026-11-23T12:00:00Z', 'Asia/Tokyo', '2026-11-23T22:00:00.000Z'],
  // Daylight saving ends that night.
  ['2026-11-01T02:00:00Z', 'America/New_York', '2026-11-01T12:00:00.000Z'],
])('at %s in %s quiet hours end at %s', (now, timeZone, end) => {
  expect(quietEnd(timeZone, new Date(now))?.toISOString() ?? null).toBe(end)
})
