import { expect, test } from 'vitest'
import { problemOfSchedule } from './check-schedule-time.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

test.each([
  ['2026-11-21T11:59:59.999Z', /has passed/],
  ['2026-11-21T12:00:00.000Z', /has passed/],
  ['2027-11-22T12:00:00.001Z', /more than a year away/],
  ['9999-01-01T00:00:00.000Z', /more than a year away/],
])('a mailing can’t be scheduled for %s, and the error says why', (at, words) => {
  expect(problemOfSchedule(new Date(at), now)).toMatch(words)
})

test.each(['2026-11-21T12:00:00.001Z', '2027-11-22T12:00:00.000Z'])('%s is a valid time', (at) => {
  expect(problemOfSchedule(new Date(at), now)).toBeNull()
})
