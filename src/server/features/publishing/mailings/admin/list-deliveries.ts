import { and, asc, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { deliveries } from '#server/db/schema/index.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { DeliveriesPage, DeliveryFilter } from '#shared/contracts/publishing/deliveries.ts'
import { deliveryCauses, deliveryStatuses } from '#shared/contracts/publishing/newsletter.ts'
import { bounceCauseSql } from './bounce-cause-sql.ts'

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
