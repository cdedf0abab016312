import { describe, expect, test } from 'vitest'
import { dueReminder, dueSummary } from './due-reminder.ts'

const longAgo = new Date('2026-10-01T12:00:00Z')
const zone = 'America/New_York'
const remind = (now: string, knownSince = longAgo, timeZone = zone) =>
  dueReminder({ dueOn: '2026-11-20', knownSince }, timeZone, new Date(now))

describe('the reminder of an assignment due on Nov 20', () => {
  test.each([
    ['2026-11-18T12:59:59Z', null],
    ['2026-11-18T13:00:00Z', 'soon'],
    ['2026-11-20T12:59:59Z', 'soon'],
    ['2026-11-20T13:00:00Z', 'due'],
    ['2026-11-21T04:59:59Z', 'due'],
    ['2026-11-21T05:00:00Z', null],
  ])('is at %s in New York: %s', (now, kind) => {
    expect(remind(now)).toBe(kind)
  })

  test('follows the reader’s time zone', () => {
    expect(remind('2026-11-17T23:00:00Z', longAgo, 'Asia/Tokyo')).toBe('soon')
    expect(remind('2026-11-20T17:59:59Z', longAgo, 'Pacific/Honolulu')).toBe('soon')
    expect(remind('2026-11-20T18:00:00Z', longAgo, 'Pacific/Honolulu')).toBe('due')
  })

  test('is at eight on the day that daylight saving ends, too', () => {
    const on = (now: string) => dueReminder({ dueOn: '2026-11-01', knownSince: longAgo }, zone, new Date(now))
    expect(on('2026-11-01T12:59:59Z')).toBe('soon')
    expect(on('2026-11-01T13:00:00Z')).toBe('due')
  })

  test('isn’t sent for a morning before the reader knew of it', () => {
    expect(remind('2026-11-19T15:00:00Z', new Date('2026-11-19T14:00:00Z'))).toBeNull()
    expect(remind('2026-11-20T13:00:00Z', new Date('2026-11-19T14:00:00Z'))).toBe('due')
    expect(remind('2026-11-20T15:00:00Z', new Date('2026-11-20T14:00:00Z'))).toBeNull()
  })
})

test.each([
  ['2026-11-16T12:59:59Z', null],
  ['2026-11-16T13:00:00Z', '2026-11-16'],
  ['2026-11-17T04:59:59Z', '2026-11-16'],
  ['2026-11-17T05:00:00Z', null],
])('the weekly summary of Monday, Nov 16, in New York at %s: %s', (now, week) => {
  expect(dueSummary(zone, new Date(now))?.weekOf ?? null).toBe(week)
})
