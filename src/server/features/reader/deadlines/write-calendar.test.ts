import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { type CalendarEvent, writeCalendar } from './write-calendar.ts'

const calendar = { name: 'The Counter, weekly; news', about: 'Dates\\more', host: 'counter.example' }
const event: CalendarEvent = {
  id: '5b0f3c52-9d0e-4c1b-a2f4-6f3d1e7a9c01',
  title: 'Insurance certificate',
  about: 'Read your insurance certificate',
  url: 'https://counter.example/portal/deadlines',
  dueOn: '2026-12-31',
  leadDays: 60,
  revision: 3,
  updatedAt: new Date('2026-11-22T16:00:00.123Z'),
}

const parse = (text: string) => {
  const root = new ICAL.Component(ICAL.parse(text))
  return { root, events: root.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each)) }
}

test('a date is a day without a time zone that another program reads', () => {
  const { root, events } = parse(writeCalendar(calendar, [event]))
  // Of unknown properties, the program returns the value as it is written.
  expect(root.getFirstPropertyValue('x-wr-calname')).toBe('The Counter\\, weekly\\; news')
  expect(root.getFirstPropertyValue('x-wr-caldesc')).toBe('Dates\\\\more')
  const [first] = events
  expect(first?.uid).toBe(`${event.id}@counter.example`)
  expect(first?.startDate.isDate).toBe(true)
  expect(first?.startDate.toString()).toBe('2026-12-31')
  expect(first?.endDate.toString()).toBe('2027-01-01')
  expect(first?.sequence).toBe(3)
  expect(first?.component.getFirstPropertyValue('dtstamp')?.toString()).toBe('2026-11-22T16:00:00Z')
  expect(first?.description).toBe('Read your insurance certificate\nhttps://counter.example/portal/deadlines')
})

test('an alarm is at 8 AM, so many days before the date', () => {
  const triggers = (leadDays: number) =>
    parse(writeCalendar(calendar, [{ ...event, leadDays }]))
      .root.getFirstSubcomponent('vevent')
      ?.getAllSubcomponents('valarm')
      .map((alarm) => (alarm.getFirstPropertyValue('trigger') as ICAL.Duration).toSeconds() / 3600)
  expect(triggers(60)).toEqual([-60 * 24 + 8, -7 * 24 + 8])
  expect(triggers(1)).toEqual([-24 + 8])
  expect(triggers(0)).toEqual([8])
})

test('lines end with CRLF and have at most 75 octets, and no character is broken', () => {
  const title = `${'Größe; 店舗の更新, '.repeat(8)}\\ 🏪🏪🏪🏪🏪🏪🏪🏪🏪🏪`
  const text = writeCalendar(calendar, [{ ...event, title, about: 'a'.repeat(300) }])
  const lines = text.split('\r\n')
  expect(lines.pop()).toBe('')
  expect(lines.some((line) => /[\r\n]/.test(line))).toBe(false)
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
  expect(text).not.toContain('\ufffd')
  expect(parse(text).events[0]?.summary).toBe(title)
})

test('a calendar without dates is valid, too', () => {
  expect(parse(writeCalendar(calendar, [])).events).toEqual([])
})
