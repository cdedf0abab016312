import { type SQL, sql } from 'drizzle-orm'
import { queryRows } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import type { Deps } from '#server/feature.ts'
import { commentWords } from '#server/features/library/content/render-markdown.ts'
import { findRecipient } from '#server/features/publishing/assignment-emails/recipients.ts'
import { unsubscribeLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { nameless } from '#server/features/reader/comments/read-comments.ts'
import { emailJob, type QuotedReplies } from '#server/jobs/email-job.ts'
import { repliesEmail } from '#server/mail/texts/answer-emails.ts'
import type { RepliesChoice } from '#shared/contracts/publishing/email-preferences.ts'
import { addDays } from '#shared/domain/due-day.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'

type AnswerEmailDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue' | 'secrets'>

/** Older replies are of no use in an email, such as those of a server that was off. */
const sendWithinMs = 2 * dayMs

const instant = (at: Date) => sql`${at.toISOString()}::timestamptz`
const uuids = (ids: readonly string[]) => sql`${sql.param(`{${ids.join(',')}}`)}::uuid[]`

/** For `r`, a reply: its author and drop, and whether others may be told about it now. */
const ofReply = {
  joins: sql`join issues i on i.id = r.issue_id left join comment_author a on a.user_id = r.user_id
    left join auth.users w on w.id = r.user_id`,
  mayBeTold: (now: Date): SQL => sql`(r.state = 'visible' and i.published_at is not null and a.suspended_at is null
    and w.deleted_at is null and not coalesce(w.banned_until > ${instant(now)}, false))`,
}

type Person = { userId: string; choice: RepliesChoice; timeZone: string | null; first: Date; lastTold: Date | null }

/** Emails people what others replied to their answers, in one email to each: now, or at 8 AM if they chose once a day. */
export async function sendReplies(deps: AnswerEmailDeps): Promise<void> {
  const { config, clock } = deps
  const { db } = deps.database
  const now = clock()
  if (config.settings.publication.comments === 'off' || (await isOnHold(db))) return
  const { timeZone } = await readSendingSettings(db)
  const people = await queryRows<Person>(
    db,
    sql`select p.user_id as "userId", coalesce(e.replies, 'at-once') as choice, e.time_zone as "timeZone",
        min(r.published_at) as first, (select max(t.told_at) from comment t join comment q on q.id = t.parent_id
          where q.user_id = p.user_id and t.user_id is distinct from p.user_id) as "lastTold"
      from comment r join comment p on p.id = r.parent_id left join email_preferences e on e.user_id = p.user_id
      where r.told_at is null and r.state = 'visible' and r.published_at > ${instant(oldest(now))} and p.user_id is not null
      group by 1, 2, 3 order by 1`,
  )
  for (const { userId, choice, first, lastTold, ...person } of people) {
    const morning = choice === 'daily' ? latestMorning(person.timeZone ?? timeZone, now) : now
    const wasTold = choice === 'daily' && lastTold !== null && new Date(lastTold) >= morning
    if (!wasTold && new Date(first) <= morning) await tell(deps, userId, morning)
  }
}

const oldest = (now: Date) => new Date(now.getTime() - sendWithinMs)

/** The last 8 AM in a time zone. */
function latestMorning(timeZone: string, now: Date): Date {
  const today = localTimeOf(now.toISOString(), timeZone).slice(0, 10)
  const at = (day: string) => new Date(instantOf(`${day}T08:00`, timeZone))
  return at(today) <= now ? at(today) : at(addDays(today, -1))
}

type Row = { id: string; issueId: string; drop: string; name: string; text: string } & {
  answersQuestion: boolean
  mayBeTold: boolean
}

/**
 * Tells one person what was posted until a moment. Marking the replies and enqueuing the email are one transaction: a second
 * worker skips the locked rows, and after a crash they are still waiting.
 */
async function tell(deps: AnswerEmailDeps, userId: string, until: Date): Promise<void> {
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const rows = await queryRows<Row>(
      tx,
      sql`select r.id, r.issue_id as "issueId", i.title as drop, coalesce(a.name, ${nameless}) as name, r.text,
          r.is_editor and p.is_question as "answersQuestion", 
          r.user_id is distinct from p.user_id and ${ofReply.mayBeTold(now)} as "mayBeTold"
        from comment r join comment p on p.id = r.parent_id ${ofReply.joins}
        where p.user_id = ${userId}::uuid and r.told_at is null and r.state = 'visible'
          and r.published_at > ${instant(oldest(now))} and r.published_at <= ${instant(until)}
        order by r.published_at, r.id for update of r skip locked`,
    )
    if (rows.length === 0) return
    await tx.execute(
      sql`update comment set told_at = ${instant(now)} where id = any(${uuids(rows.map(({ id }) => id))})`,
    )
    const replies = rows.filter(({ mayBeTold }) => mayBeTold)
    const recipient = await findRecipient(tx, userId, now, 'reply')
    if (!recipient || replies.length === 0) return
    const ids = replies.map(({ id }) => id)
    const [state] = await queryRows<{ digest: string }>(tx, digestOf(ids, now))
    const email = repliesEmail({
      ...{ to: recipient.email, config: deps.config },
      unsubscribe: unsubscribeLinks(deps, userId, 'replies'),
      replies: replies.map((reply) => ({ ...reply, words: commentWords(reply.text) })),
    })
    await deps.enqueue(tx, emailJob, { ...email, quoted: { ids, digest: state?.digest ?? '' } })
  })
}

/** Changes when one of the replies is edited, or may no longer be told. */
const digestOf = (
  ids: readonly string[],
  now: Date,
) => sql`select md5(string_agg(r.id::text || r.text, ' ' order by r.id)) as digest
  from comment r ${ofReply.joins} where r.id = any(${uuids(ids)}) and ${ofReply.mayBeTold(now)}`

/** False if replies have changed since an email that quotes them was enqueued. Those that remain are told by another one. */
export async function areRepliesCurrent(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { ids, digest }: QuotedReplies,
): Promise<boolean> {
  const [state] = await queryRows<{ digest: string | null }>(database.db, digestOf(ids, clock()))
  if (state?.digest === digest) return true
  await database.db.execute(sql`update comment set told_at = null where id = any(${uuids(ids)})`)
  return false
}
