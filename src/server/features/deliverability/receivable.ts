import { type SQL, sql } from 'drizzle-orm'
import { type MailingKind, type Stream, streamOf } from '#shared/contracts/newsletter.ts'

/** Pieces of a statement that has `auth.users` and an address in it, one row a reader. */
export type Receivable = {
  /** Left joins: at most one row of each for a reader, so no reader is lost or doubled. */
  joins: SQL
  /** Why this reader gets nothing, a `DeliveryCause` as text; null for one who does. Asked again before each mail. */
  cause: SQL
  /** Whether the reader asked for the monthly digest: the audience of one. */
  wantsDigest: SQL
  /** Whether the reader allows open and click tracking. */
  allowsTracking: SQL
}

/**
 * Who may not get a kind of mail, and why. `user` is the statement's alias of `auth.users`, which may be missing (left
 * joined): then the account is gone. `email` is where the mail would go, in lower case. Whether somebody has access is
 * another question, answered by their plan. The statement must not use the names `wish`, `shut` and `shut_stream`.
 *
 * Written as joins on keys: for half a million readers the database joins by hash, for a hundred by index.
 */
export function receivable(kind: MailingKind, { user, email, now }: { user: SQL; email: SQL; now: Date }): Receivable {
  const stream = streamOf(kind)
  const reasons = sql`(shut.reason, shut_stream.reason)`
  const because = (...names: string[]) =>
    sql.join(
      names.map((name) => sql`${sql.raw(`'${name}'`)} in ${reasons}`),
      sql` or `,
    )
  return {
    joins: sql`
      left join email_preferences wish on wish.user_id = ${user}.id
      left join suppressions shut
        on shut.email = ${email} and shut.stream = 'all' and shut.lifted_at is null
      left join suppressions shut_stream
        on shut_stream.email = ${email} and shut_stream.stream = ${literal(stream)} and shut_stream.lifted_at is null`,
    cause: sql`case
      when ${user}.id is null or ${user}.deleted_at is not null or ${user}.banned_until > ${now.toISOString()}::timestamptz
        then 'account_gone'
      when ${because('hard_bounce', 'soft_bounces')} then 'bounced'
      when ${because('complaint')} then 'complained'
      when ${because('manual')} then 'manual'
      when ${because('unsubscribed')} or ${isOff(stream)} then 'unsubscribed'
      ${kind === 'issue' ? sql`when wish.drops = 'monthly' then 'monthly'` : sql``}
    end`,
    wantsDigest: sql`(wish.drops is not distinct from 'monthly')`,
    allowsTracking: sql`coalesce(wish.allows_tracking, false)`,
  }
}

const isOff = (stream: Stream) => (stream === 'drops' ? sql`wish.drops = 'off'` : sql`wish.news = false`)

/** Words of ours, as text rather than as parameters: the planner knows them. */
const literal = (word: Stream) => sql.raw(`'${word}'`)
