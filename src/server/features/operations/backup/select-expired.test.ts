import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs } from '#shared/domain/durations.ts'
import { selectExpired } from './select-expired.ts'

const start = Date.parse('2026-01-05T03:17:00Z')
const onDay = (day: number) => ({ name: `day ${day}`, at: new Date(start + day * dayMs) })

test('keeps the last days, weeks and months of daily backups', () => {
  const backups = Array.from({ length: 300 }, (_, day) => onDay(day))
  const expired = new Set(selectExpired(backups, { daily: 7, weekly: 4, monthly: 6 }))
  const kept = backups.filter((backup) => !expired.has(backup)).map(({ at }) => at.toISOString().slice(0, 10))
  expect(kept).toEqual([
    '2026-05-31',
    '2026-06-30',
    '2026-07-31',
    '2026-08-31',
    '2026-09-30',
    '2026-10-11',
    '2026-10-18',
    '2026-10-25',
    '2026-10-26',
    '2026-10-27',
    '2026-10-28',
    '2026-10-29',
    '2026-10-30',
    '2026-10-31',
  ])
})

const times = fc.array(fc.integer({ min: 0, max: 1000 * 24 }), { minLength: 1, maxLength: 60 })
const count = fc.integer({ min: 1, max: 12 })
const policy = fc.record({ daily: count, weekly: count, monthly: count })
const fromHours = (hours: number[]) =>
  hours.map((hour, index) => ({ name: `${index}`, at: new Date(start + (hour * dayMs) / 24) }))

test('never deletes the newest backup, and deletes nothing more when it runs again', () => {
  fc.assert(
    fc.property(times, policy, (hours, keep) => {
      const backups = fromHours(hours)
      const expired = new Set(selectExpired(backups, keep))
      const kept = backups.filter((backup) => !expired.has(backup))
      const newest = Math.max(...backups.map(({ at }) => at.getTime()))
      expect(kept.some(({ at }) => at.getTime() === newest)).toBe(true)
      expect(selectExpired(kept, keep)).toEqual([])
    }),
  )
})

test('keeps at least one backup of each of the last days, and at most one per period before the last 24 hours', () => {
  fc.assert(
    fc.property(times, policy, (hours, keep) => {
      const backups = fromHours(hours)
      const expired = new Set(selectExpired(backups, keep))
      const kept = backups.filter((backup) => !expired.has(backup))
      const dayOf = ({ at }: { at: Date }) => at.toISOString().slice(0, 10)
      const days = [...new Set(backups.map(dayOf))].sort().reverse().slice(0, keep.daily)
      const keptDays = new Set(kept.map(dayOf))
      expect(days.filter((day) => !keptDays.has(day))).toEqual([])
      const newest = Math.max(...backups.map(({ at }) => at.getTime()))
      const older = kept.filter(({ at }) => newest - at.getTime() >= dayMs)
      expect(older.length).toBeLessThanOrEqual(keep.daily + keep.weekly + keep.monthly)
    }),
  )
})
