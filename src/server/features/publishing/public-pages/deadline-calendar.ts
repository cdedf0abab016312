import type { Context } from 'hono'
import type { Deps } from '#server/feature.ts'
import { consumePoint, userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { listDeadlines, readDeadlineKinds } from '#server/features/reader/deadlines/deadlines.ts'
import { writeCalendar } from '#server/features/reader/deadlines/write-calendar.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { FeedReader } from './member-feed.ts'

const maxReadsPerHour = 120

/** A reader's open dates for calendar apps. Without access it is empty and says why, so that apps show no error. */
export async function answerCalendar(
  c: Context<AppEnv>,
  { database: { db }, config, clock }: Pick<Deps, 'database' | 'config' | 'clock'>,
  { userId, hasAccess }: FeedReader,
) {
  const { points } = await consumePoint(db, userCounterKey(userId, 'calendar'), 60 * 60, clock())
  if (points > maxReadsPerHour) throw new AppError('over_request_rate_limit')
  const { publicUrl, settings } = config
  const about = hasAccess
    ? `Change your deadlines at ${publicUrl}/portal/deadlines`
    : `Your plan has ended. We keep your dates: ${publicUrl}/account/billing`
  const kinds = new Map((await readDeadlineKinds(db)).map((kind) => [kind.id, kind]))
  const rows = hasAccess ? await listDeadlines(db, userId) : []
  const events = rows
    .filter(({ deadline }) => !deadline.done)
    .map(({ deadline, locationName }) => {
      const prepare = kinds.get(deadline.kind)?.prepare
      return {
        ...deadline,
        title: [deadline.title, locationName].filter(Boolean).join(', '),
        about: prepare?.label ?? '',
        url: publicUrl + (prepare?.path ?? '/portal/deadlines'),
      }
    })
  const name = `${settings.publication.name}: deadlines`
  return c.body(writeCalendar({ name, about, host: new URL(publicUrl).hostname }, events), 200, {
    'Content-Type': 'text/calendar; charset=utf-8',
    'Cache-Control': 'private, no-cache',
    'X-Robots-Tag': 'noindex',
  })
}
