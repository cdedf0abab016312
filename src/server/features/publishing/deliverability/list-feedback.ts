import { and, eq, gte, isNotNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { fromMicroseconds, toMicroseconds } from '#server/db/keyset-pagination.ts'
import { deliveries, emailPreferences, mailings, users } from '#server/db/schema/index.ts'
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts'
import type { adminEmailFeedbackCall, EmailFeedback } from '#shared/contracts/publishing/deliverability.ts'

type Query = z.output<typeof adminEmailFeedbackCall.input>
type Page = z.input<typeof adminEmailFeedbackCall.output>

const defaultPageSize = 50

export const listFeedback = (db: Db, query: Query): Promise<Page> =>
  query.feedback === 'unsubscribed'
    ? listUnsubscribed(db, query)
    : listDeliveryFeedback(db, { ...query, feedback: query.feedback })

const userPosition = z.tuple([z.string().regex(/^\d{1,17}$/), z.uuid()])

/** In the order of `email_preferences_unsubscribed_at_idx`. */
async function listUnsubscribed(db: Db, { since, cursor, limit = defaultPageSize }: Query): Promise<Page> {
  const { unsubscribedAt, userId } = emailPreferences
  const after = cursor ? decodeCursor(cursor, userPosition) : null
  const rows = await db
    .select({ row: emailPreferences, email: users.email, micros: toMicroseconds(unsubscribedAt) })
    .from(emailPreferences)
    .innerJoin(users, eq(users.id, userId))
    .where(
      and(
        isNotNull(unsubscribedAt),
        gte(unsubscribedAt, startOf(since)),
        after ? sql`(${unsubscribedAt}, ${userId}) < (${fromMicroseconds(after[0])}, ${after[1]}::uuid)` : undefined,
      ),
    )
    .orderBy(sql`${unsubscribedAt} desc`, sql`${userId} desc`)
    .limit(limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(({ row, email }) => ({
      ...{ id: row.userId, userId: row.userId, email, mailing: null, bounceType: null },
      at: (row.unsubscribedAt ?? row.updatedAt).toISOString(),
      off: [
        ...(row.drops === 'off' ? (['drops'] as const) : []),
        ...(row.news ? [] : (['news'] as const)),
        ...(row.followUps ? [] : (['follow-ups'] as const)),
      ],
    })),
    nextCursor: rows.length > limit && last ? encodeCursor([last.micros, last.row.userId]) : null,
  }
}

const startOf = (day: string) => new Date(`${day}T00:00:00Z`)

const deliveryPosition = z.tuple([z.string().regex(/^\d{1,18}$/)])

/** `at` is when the report came. */
const reported: Record<Exclude<EmailFeedback, 'unsubscribed'>, { at: typeof deliveries.bouncedAt; is: SQL }> = {
  bounced: { at: deliveries.bouncedAt, is: isNotNull(deliveries.bounceType) },
  complaint: { at: deliveries.complainedAt, is: isNotNull(deliveries.complainedAt) },
}

/** Newest delivery first. Reads a page of `deliveries_feedback_idx` for each mailing. */
async function listDeliveryFeedback(
  db: Db,
  { feedback, since, cursor, limit = defaultPageSize }: Query & { feedback: keyof typeof reported },
): Promise<Page> {
  const before = cursor ? decodeCursor(cursor, deliveryPosition)[0] : null
  const { at, is } = reported[feedback]
  const found = db
    .select({
      id: deliveries.id,
      userId: deliveries.userId,
      email: deliveries.email,
      bounceType: deliveries.bounceType,
      at: sql<Date | null>`${at}`.mapWith(at).as('at'),
      changedAt: deliveries.changedAt,
    })
    .from(deliveries)
    .where(
      and(eq(deliveries.mailingId, mailings.id), is, before ? sql`${deliveries.id} < ${before}::bigint` : undefined),
    )
    .orderBy(sql`${deliveries.id} desc`)
    .limit(limit + 1)
    .as('found')
  const rows = await db
    .select({
      found: {
        id: found.id,
        userId: found.userId,
        email: found.email,
        bounceType: found.bounceType,
        at: found.at,
        changedAt: found.changedAt,
      },
      mailing: { id: mailings.id, subject: mailings.subject },
      startedAt: mailings.startedAt,
    })
    .from(mailings)
    .innerJoinLateral(found, sql`true`)
    .where(gte(mailings.startedAt, startOf(since)))
    .orderBy(sql`${found.id} desc`)
    .limit(limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(({ found: row, mailing, startedAt }) => ({
      ...{ id: String(row.id), userId: row.userId, email: row.email, mailing, off: [] },
      at: (row.at ?? row.changedAt ?? startedAt ?? startOf(since)).toISOString(),
      bounceType: row.bounceType === 'hard' || row.bounceType === 'soft' ? row.bounceType : null,
    })),
    nextCursor: rows.length > limit && last ? encodeCursor([String(last.found.id)]) : null,
  }
}
