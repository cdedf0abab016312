import { createHash } from 'node:crypto'
import type { SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'
import type { Publication } from '#shared/publication-defaults.ts'

/** "2026-11-28" in the publication's time zone. */
export const localDay = (now: Date, timeZone: string): string => localTimeOf(now.toISOString(), timeZone).slice(0, 10)

/** The start of the day after. */
const endOf = (day: string, timeZone: string) => {
  const next = new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
  return instantOf(`${next}T00:00`, timeZone)
}

/** Composes the bar with these values of the group `navigation`; null on other days. The first and the last day count. */
export function composeAnnouncement(values: SettingValues, now: Date, timeZone: string): Publication['announcement'] {
  const {
    'announcement.text': text = '',
    'announcement.link': href = '',
    'announcement.from': from = '',
    'announcement.until': until = '',
  } = values
  const today = localDay(now, timeZone)
  if (text === '' || today < from || (until !== '' && today > until)) return null
  // Another text is another announcement, for those who dismissed the first too.
  const id = createHash('sha256').update(`${text}\n${href}`).digest('base64url').slice(0, 10)
  return { id, text, href: href || null, until: until === '' ? null : endOf(until, timeZone) }
}
