import type { z } from 'zod'
import type { sendingLimitsSchema } from '#shared/contracts/publishing/sending-settings.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'

export type SendingLimits = z.infer<typeof sendingLimitsSchema>
type WarmUp = NonNullable<SendingLimits['warmUp']>

export type DailyLimit = { limit: number; since: Date; until: Date }

/**
 * The warm-up limit of the day that contains `now`, from midnight to midnight in the publication's time zone. Null if the
 * warm-up doesn't apply: before its first day, and from the day on which it reaches its end.
 */
export function warmUpLimit(warmUp: WarmUp | null, timeZone: string, now: Date): DailyLimit | null {
  if (!warmUp) return null
  const today = localTimeOf(now.toISOString(), timeZone).slice(0, 10)
  const day = Math.round((Date.parse(today) - Date.parse(warmUp.startedOn)) / dayMs)
  if (day < 0) return null
  const limit = Math.floor(warmUp.firstDay * warmUp.growth ** day)
  if (limit >= warmUp.end) return null
  return { limit, since: midnightOf(today, timeZone), until: nextMidnight(now, timeZone) }
}

/** The next midnight after `now` in the time zone. */
export function nextMidnight(now: Date, timeZone: string): Date {
  const today = Date.parse(localTimeOf(now.toISOString(), timeZone).slice(0, 10))
  return midnightOf(new Date(today + dayMs).toISOString().slice(0, 10), timeZone)
}

const midnightOf = (day: string, timeZone: string) => new Date(instantOf(`${day}T00:00`, timeZone))

/** The hourly limit of a receiving domain, or undefined if it has none. */
export const domainLimit = (
  { perDomainHour }: Pick<SendingLimits, 'perDomainHour'>,
  domain: string,
): number | undefined => (Object.hasOwn(perDomainHour, domain) ? perDomainHour[domain] : perDomainHour['*'])
