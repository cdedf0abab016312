import { type SQL, sql } from 'drizzle-orm'
import {
  type EmailStream,
  type MailingKind,
  personalStream,
  type Stream,
  streamOfMailing,
} from '#shared/contracts/publishing/newsletter.ts'

/** SQL fragments for a statement with one row per reader. */
export type EligibilitySql = {
  /** Left joins with at most one row per reader. */
  joins: SQL
  /** Why the reader gets no email (a `DeliveryCause`), or null. Checked again before each send. */
  cause: SQL
  /** True if the reader chose the monthly digest. */
  wantsDigest: SQL
  /** True if the reader gets the free edition while they have no access. */
  isFreeReader: SQL
  /** True if the reader allows open and click tracking. */
  allowsTracking: SQL
}

/**
 * Who must not receive a kind of email, and why; access is checked separately. `user` is the alias of `auth.users` (left
 * joined: a missing row means a deleted account), `email` the recipient in lowercase. The aliases `prefs`, `chosen`,
 * `suppressed` and `suppressed_stream` are reserved. Joins on keys, so that PostgreSQL can choose hash or index joins.
 */
export function eligibilitySql(
  kind: MailingKind | 'assignment' | 'reply',
  { user, email, now, newsletterId = null }: { user: SQL; email: SQL; now: Date; newsletterId?: number | null },
): EligibilitySql {
  const stream =
    kind === 'assignment' ? 'assignments' : kind === 'reply' ? 'replies' : streamOfMailing(kind, newsletterId)
  const isOff = newsletterId === null ? isOffOf[stream as keyof typeof isOffOf] : sql`chosen.subscribed is not true`
  const reasons = sql`(suppressed.reason, suppressed_stream.reason)`
  const hasReason = (...names: string[]) =>
    sql.join(
      names.map((name) => sql`${sql.raw(`'${name}'`)} in ${reasons}`),
      sql` or `,
    )
  return {
    joins: sql`
      left join email_preferences prefs on prefs.user_id = ${user}.id
      ${newsletterId === null ? sql`` : sql`left join newsletter_subscription chosen on chosen.newsletter_id = ${sql.raw(String(newsletterId))} and chosen.user_id = ${user}.id`}
      left join suppressions suppressed
        on suppressed.email = ${email} and suppressed.stream = 'all' and suppressed.lifted_at is null
      ${kind === 'personal' ? complainedAnywhere(email) : suppressedIn(stream, email)}`,
    cause: sql`case
      when ${user}.id is null or ${user}.deleted_at is not null or ${user}.banned_until > ${now.toISOString()}::timestamptz
        then 'account_gone'
      when ${hasReason('hard_bounce', 'soft_bounces')} then 'bounced'
      when ${hasReason('complaint')} then 'complained'
      when ${hasReason('manual')} then 'manual'
      when ${hasReason('unsubscribed')} or ${isOff} then 'unsubscribed'
      ${kind === 'issue' && newsletterId === null ? sql`when prefs.drops = 'monthly' then 'monthly'` : sql``}
    end`,
    wantsDigest: sql`(prefs.drops is not distinct from 'monthly')`,
    isFreeReader: sql`(prefs.free_since is not null and ${user}.email_confirmed_at is not null)`,
    allowsTracking: sql`coalesce(prefs.allows_tracking, false)`,
  }
}

const suppressedIn = (stream: EmailStream, email: SQL) => sql`left join suppressions suppressed_stream
  on suppressed_stream.email = ${email} and suppressed_stream.stream = ${literal(stream)} and suppressed_stream.lifted_at is null`

/** Someone who reported any email as spam gets no personal one either. */
const complainedAnywhere = (email: SQL) => sql`left join lateral (
  select s.reason from suppressions s
  where s.email = ${email} and s.lifted_at is null and (s.stream = ${personalStream} or s.reason = 'complaint') limit 1
) suppressed_stream on true`

const isOffOf: Record<Stream | typeof personalStream, SQL> = {
  drops: sql`prefs.drops = 'off'`,
  news: sql`prefs.news = false`,
  'follow-ups': sql`prefs.follow_ups = false`,
  assignments: sql`prefs.assignments = false`,
  replies: sql`prefs.replies = 'off'`,
  personal: sql`false`,
}

/** Inlined rather than a parameter, so that the planner knows the value. */
const literal = (stream: EmailStream) => sql.raw(`'${stream}'`)
