import type { FirstDrops } from '#server/mail/texts/welcome-emails.ts'
import type { Issue } from '#shared/contracts/library/issues.ts'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'
import { inOptionOrder, type Questions } from '#shared/domain/preferences.ts'

const maxDrops = 3

/** The newest drops that match the focus areas, or the newest overall if none match. */
export function pickFirstDrops(
  publication: Questions,
  issues: readonly Issue[],
  preferences: Preferences | null,
): FirstDrops {
  const areas = inOptionOrder(publication, 'focusAreas', preferences?.focusAreas ?? [])
  const matching = issues.filter(({ tags }) => tags.some((tag) => areas.includes(tag)))
  const match = matching.length > 0
  return { areas, match, drops: (match ? matching : issues).slice(0, maxDrops) }
}
