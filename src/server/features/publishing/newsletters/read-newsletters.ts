import { asc, eq, sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { newsletter } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { editorLabel } from '#server/features/identity/auth/security/editor.ts'
import type { NewsletterFigures, StoredNewsletter } from '#shared/contracts/publishing/newsletters.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Members that a new newsletter can be given to. Those who turned off drops and news stay out, as do those whose address
 * gets no email because they asked for it or complained.
 */
const givenToEveryoneSql = sql`
  select u.id from auth.users u
    left join email_preferences p on p.user_id = u.id
    left join suppressions s on s.email = u.email and s.stream = 'all' and s.lifted_at is null
      and s.reason in ('complaint', 'unsubscribed', 'manual')
  where u.email is not null and u.deleted_at is null and not u.is_anonymous
    and not coalesce(p.drops = 'off' and not p.news, false) and s.id is null`

/** Subscribes today's members in one statement. */
export async function subscribeExisting(tx: Tx, newsletterId: number, now: Date): Promise<void> {
  await tx.execute(sql`insert into newsletter_subscription (newsletter_id, user_id, subscribed, changed_at)
    select ${newsletterId}::int, id, true, ${now.toISOString()}::timestamptz from (${givenToEveryoneSql}) members
    order by id on conflict do nothing`)
}

export type NewsletterRow = typeof newsletter.$inferSelect

/** In the publisher's order, retired ones included. */
export const readNewsletterRows = (db: Db | Tx): Promise<NewsletterRow[]> =>
  db.select().from(newsletter).orderBy(asc(newsletter.position), asc(newsletter.id))

export async function findNewsletter(db: Db | Tx, id: number): Promise<NewsletterRow | null> {
  const [row] = await db.select().from(newsletter).where(eq(newsletter.id, id))
  return row ?? null
}

/**
 * Locks the newsletter against being retired until the transaction ends.
 * @throws AppError validation_failed if it is retired or unknown
 */
export async function requireNewsletterInUse(tx: Tx, id: number): Promise<void> {
  const [row] = await tx.select().from(newsletter).where(eq(newsletter.id, id)).for('share')
  if (row && row.retiredAt === null) return
  const message = row
    ? `“${row.name}” is retired. Choose another newsletter, or put it back in use first.`
    : 'This newsletter doesn’t exist. Choose another one.'
  throw new AppError('validation_failed', { message })
}

export async function listStoredNewsletters(db: Db): Promise<{ items: StoredNewsletter[] }> {
  const rows = await db
    .select({ row: newsletter, editor: editorLabel(newsletter.updatedBy, newsletter.updatedById) })
    .from(newsletter)
    .orderBy(asc(newsletter.position), asc(newsletter.id))
  return {
    items: rows.map(({ row: { retiredAt, updatedAt, ...row }, editor }) => ({
      ...row,
      retiredAt: retiredAt?.toISOString() ?? null,
      updatedAt: updatedAt.toISOString(),
      updatedBy: editor,
    })),
  }
}

type FigureRow = { id: number; subscribed: number; unsubscribed: number; sent: number; lastSentAt: string | null }

export async function readNewsletterFigures({
  database: { db },
  newsletterMailer,
}: Pick<Deps, 'database' | 'newsletterMailer'>): Promise<NewsletterFigures> {
  const items = await queryRows<FigureRow>(
    db,
    sql`select n.id, coalesce(s.subscribed, 0)::int as subscribed, coalesce(s.unsubscribed, 0)::int as unsubscribed,
        coalesce(m.sent, 0)::int as sent, to_json(m.last_sent_at) #>> '{}' as "lastSentAt"
      from newsletter n
      left join (
        select newsletter_id, count(*) filter (where subscribed) as subscribed,
          count(*) filter (where not subscribed) as unsubscribed
        from newsletter_subscription group by newsletter_id
      ) s on s.newsletter_id = n.id
      left join (
        select audience ->> 'newsletterId' as id, count(*) as sent, max(started_at) as last_sent_at
        from mailings where started_at is not null and audience ->> 'newsletterId' is not null group by 1
      ) m on m.id = n.id::text
      order by n.position, n.id`,
  )
  const [everyone] = await queryRows<{ count: number }>(
    db,
    sql`select count(*)::int as count from (${givenToEveryoneSql}) members`,
  )
  return {
    items: items.map((row) => ({ ...row, lastSentAt: row.lastSentAt && new Date(row.lastSentAt).toISOString() })),
    everyone: everyone?.count ?? 0,
    sender: newsletterMailer.from,
  }
}
