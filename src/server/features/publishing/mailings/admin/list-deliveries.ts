import { and, asc, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { deliveries } from '#server/db/schema/index.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { DeliveriesPage, DeliveryFilter } from '#shared/contracts/publishing/deliveries.ts'
import type { BounceCause } from '#shared/contracts/publishing/mailing-report.ts'
import { deliveryCauses, deliveryStatuses } from '#shared/contracts/publishing/newsletter.ts'

/**
 * The first cause whose pattern the receiving server's response matches: enhanced status codes of RFC 3463, or the words
 * that common servers use.
 */
const tooLarge = String.raw`[45]\.3\.4|[45]\.2\.3|too (large|big)|exceeds .*size`
const patterns: readonly [BounceCause, string][] = [
  ['mailbox_full', String.raw`[45]\.2\.2|quota|mailbox (is )?full`],
  ['too_large', tooLarge],
  ['blocked', String.raw`[45]\.7\.\d|spam|block(ed|list)|blacklist|policy|reputation|dmarc`],
  [
    'unknown_address',
    String.raw`5\.1\.(1|3|6|10)|(user|recipient|address|mailbox|account).*(unknown|not (found|exist)|n.t exist|invalid|rejected|unavailable|disabled)|(unknown|no such|invalid) (user|recipient|address|mailbox)`,
  ],
  [
    'unreachable',
    String.raw`[45]\.4\.\d|5\.1\.2|(host|domain).*(unknown|not found)|unrouteable|time(d )?out|connection|network`,
  ],
]

/** The `BounceCause` of a delivery, by its first report of a hard bounce or else of a soft one. */
export const bounceCauseSql = (deliveryId: SQL): SQL => sql`coalesce((
  select case when report.type = 'blocked' and report.detail ~* ${tooLarge} then 'too_large'
    when report.type = 'blocked' then 'blocked' ${sql.join(
      patterns.map(([cause, pattern]) => sql`when report.detail ~* ${pattern} then ${cause}`),
      sql` `,
    )} else 'other' end
  from email_events report
  where report.delivery_id = ${deliveryId} and report.type in ('hard_bounce', 'soft_bounce', 'blocked')
  order by report.type = 'hard_bounce' desc, report.occurred_at, report.id
  limit 1), 'other')`

const defaultPageSize = 50
const positionSchema = z.tuple([z.string().regex(/^\d{1,18}$/)])

type Query = DeliveryFilter & { mailingId: string; cursor?: string | null; limit?: number }

/** Deliveries of a mailing, oldest first, so that pages don't shift while sending continues. */
export async function listDeliveries(db: Db, query: Query): Promise<DeliveriesPage> {
  const limit = query.limit ?? defaultPageSize
  const after = query.cursor ? decodeCursor(query.cursor, positionSchema)[0] : '0'
  const found = await readDeliveries(db, query, after, limit + 1)
  const { page, nextCursor } = pageOf(found, limit, (last) => [last.id])
  return { items: page, nextCursor }
}

/** Deliveries after an id, ordered by id. */
export async function readDeliveries(
  db: Db,
  { mailingId, ...filter }: DeliveryFilter & { mailingId: string },
  afterId: string,
  limit: number,
): Promise<DeliveriesPage['items']> {
  const rows = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.mailingId, mailingId), gt(deliveries.id, Number(afterId)), ...conditionsOf(filter)))
    .orderBy(asc(deliveries.id))
    .limit(limit)
  return rows.map((row) => ({
    id: String(row.id),
    userId: row.userId,
    email: row.email,
    status: z.enum(deliveryStatuses).parse(row.status),
    cause: row.cause && row.cause in deliveryCauses ? (row.cause as keyof typeof deliveryCauses) : null,
    attempts: row.attempts,
    response: row.response,
    changedAt: row.changedAt?.toISOString() ?? null,
  }))
}

function conditionsOf({ status, cause, feedback, bounceCause, link }: DeliveryFilter): (SQL | undefined)[] {
  return [
    status ? eq(deliveries.status, status) : undefined,
    cause ? eq(deliveries.cause, cause) : undefined,
    feedback ? feedbackCondition[feedback] : undefined,
    bounceCause
      ? sql`${isNotNull(deliveries.bounceType)} and ${bounceCauseSql(sql`${deliveries.id}`)} = ${bounceCause}`
      : undefined,
    link ? clickedLink(link) : undefined,
  ]
}

const clickedLink = (url: string) => sql`${isNotNull(deliveries.clickedAt)} and exists (
  select 1 from email_events e where e.delivery_id = ${deliveries.id} and e.type = 'clicked' and not e.is_bot
    and e.detail = ${url})`

const feedbackCondition: Record<NonNullable<DeliveryFilter['feedback']>, SQL> = {
  delivered: sql`${deliveries.status} = 'submitted' and ${isNull(deliveries.bounceType)}`,
  bounced: isNotNull(deliveries.bounceType),
  unsubscribed: isNotNull(deliveries.unsubscribedAt),
  hard_bounce: eq(deliveries.bounceType, 'hard'),
  soft_bounce: eq(deliveries.bounceType, 'soft'),
  complaint: isNotNull(deliveries.complainedAt),
  opened: isNotNull(deliveries.openedAt),
  clicked: isNotNull(deliveries.clickedAt),
  bot_opened: isNotNull(deliveries.botOpenedAt),
  bot_clicked: isNotNull(deliveries.botClickedAt),
}
