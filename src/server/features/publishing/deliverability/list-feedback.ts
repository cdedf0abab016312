import { and, eq, gte, isNotNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, fromMicroseconds, queryRows } from '#server/db/database.ts'
import { deliveries, mailings } from '#server/db/schema/index.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { adminEmailFeedbackCall, EmailFeedback } from '#shared/contracts/publishing/deliverability.ts'

/**
 * Members who turned off drops, news, follow-ups or a newsletter since then and didn't return: a row for each save, with
 * `newsletters`, the names of those that the publisher added. Complaints are counted apart.
 */
export const unsubscribesSql = (since: Date): SQL => sql`
  select user_id, at, bool_or(newsletter is null) as built_in,
    coalesce(array_agg(newsletter order by newsletter) filter (where newsletter is not null), '{}') as newsletters
  from (
    select user_id, unsubscribed_at as at, null as newsletter from email_preferences
    where unsubscribed_at >= ${since.toISOString()}::timestamptz
    union all
    select c.user_id, c.changed_at, n.name
    from newsletter_subscription c join newsletter n on n.id = c.newsletter_id
    where not c.subscribed and c.changed_at >= ${since.toISOString()}::timestamptz and not exists (
      select from auth.users u join suppressions s on s.email = u.email
      where u.id = c.user_id and s.stream = 'newsletter:' || n.id and s.reason = 'complaint' and s.lifted_at is null)
  ) as off group by user_id, at`

type Query = z.output<typeof adminEmailFeedbackCall.input>
type Page = z.input<typeof adminEmailFeedbackCall.output>

const defaultPageSize = 50

export const listFeedback = (db: Db, query: Query): Promise<Page> =>
  query.feedback === 'unsubscribed'
    ? listUnsubscribed(db, query)
    : listDeliveryFeedback(db, { ...query, feedback: query.feedback })

const userPosition = z.tuple([z.string().regex(/^\d{1,17}$/), z.uuid()])

type UnsubscribeRow = {
  user_id: string
  email: string | null
  at: string
  micros: string
  built_in: boolean
  newsletters: string[]
  drops: string | null
  news: boolean | null
  follow_ups: boolean | null
}

/** A row for each time that a member turned emails off. */
async function listUnsubscribed(db: Db, { since, cursor, limit = defaultPageSize }: Query): Promise<Page> {
  const after = cursor ? decodeCursor(cursor, userPosition) : null
  const rows = await queryRows<UnsubscribeRow>(
    db,
    sql`select o.user_id, u.email, o.at, (extract(epoch from o.at) * 1000000)::bigint::text as micros, o.built_in, o.newsletters,
        p.drops, p.news, p.follow_ups
      from (${unsubscribesSql(startOf(since))}) o join auth.users u on u.id = o.user_id
      left join email_preferences p on p.user_id = o.user_id
      ${after ? sql`where (o.at, o.user_id) < (${fromMicroseconds(after[0])}, ${after[1]}::uuid)` : sql``}
      order by o.at desc, o.user_id desc limit ${limit + 1}`,
  )
  const { page, nextCursor } = pageOf(rows, limit, (last) => [last.micros, last.user_id])
  return {
    items: page.map((row) => ({
      ...{ id: `${row.user_id} ${row.micros}`, userId: row.user_id, email: row.email, mailing: null, bounceType: null },
      at: new Date(row.at).toISOString(),
      off: [
        ...(row.built_in && row.drops === 'off' ? (['drops'] as const) : []),
        ...(row.built_in && row.news === false ? (['news'] as const) : []),
        ...(row.built_in && row.follow_ups === false ? (['follow-ups'] as const) : []),
      ],
      newsletters: row.newsletters,
    })),
    nextCursor,
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
  const { page, nextCursor } = pageOf(rows, limit, (last) => [String(last.found.id)])
  return {
    items: page.map(({ found: row, mailing, startedAt }) => ({
      ...{ id: String(row.id), userId: row.userId, email: row.email, mailing, off: [], newsletters: [] },
      at: (row.at ?? row.changedAt ?? startedAt ?? startOf(since)).toISOString(),
      bounceType: row.bounceType === 'hard' || row.bounceType === 'soft' ? row.bounceType : null,
    })),
    nextCursor,
  }
}
