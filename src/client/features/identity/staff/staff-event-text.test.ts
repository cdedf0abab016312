import { expect, test } from 'vitest'
import { changeText } from './staff-event-text.ts'

test.each([
  [{ field: 'timeZone', before: 'UTC', after: 'Europe/Paris' }, 'Time zone: UTC → Europe/Paris'],
  [{ field: 'time_zone', before: 'UTC', after: 'Europe/Paris' }, 'Time zone: UTC → Europe/Paris'],
  [{ field: 'tracking', before: 'true', after: 'false' }, 'Count opens and clicks: on → off'],
  [{ field: 'limits.perHour', before: null, after: '500' }, 'Emails per hour: 500'],
  [{ field: 'pace.perHour', before: null, after: '500' }, 'Emails per hour: 500'],
  [{ field: 'pace.perDomainHour.gmail.com', before: '200', after: null }, 'Emails per hour to gmail.com: 200 → none'],
  [{ field: 'postal_address', before: null, after: 'A LLC\n1 Main St' }, 'Postal address: A LLC, 1 Main St'],
  [{ field: 'cancel_at', before: null, after: 'soon' }, 'Cancel at: soon'],
])('a change reads as a sentence: %j', (change, words) => {
  expect(changeText(change)).toBe(words)
})
