import { eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { fromMicroseconds, queryRows, type Tx } from '#server/db/database.ts'
import { comment, commentAuthor, users } from '#server/db/schema/index.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { renderComment } from '#server/features/library/content/render-markdown.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { Principal } from '#server/http/principal.ts'
import type { adminCommentsCall, CommentFilter, ModeratedComment } from '#shared/contracts/reader/comments.ts'
import { AppError } from '#shared/errors.ts'
import { nameless } from './read-comments.ts'
import type { TalkDeps } from './talk-rules.ts'
import { type CommentRow, followReply, refreshAnswered } from './write-comment.ts'

const defaultPageSize = 20
const position = z.tuple([z.int(), z.string().regex(/^\d{1,17}$/), z.uuid()])

const conditionOf: Record<CommentFilter, SQL> = {
  waiting: sql`c.waits`,
  all: sql`c.state <> 'deleted'`,
  suspended: sql`a.suspended_at is not null and c.state <> 'deleted'`,
}

type Row = Omit<ModeratedComment, 'html' | 'drop' | 'at'> & {
  text: string
  issueId: string
  title: string
  rank: number
  micros: string
}

export async function listComments(
  { database: { db } }: Pick<TalkDeps, 'database'>,
  { staffRole }: Pick<Principal, 'staffRole'>,
  { filter, cursor, limit = defaultPageSize }: z.output<typeof adminCommentsCall.input>,
) {
  const after = cursor ? decodeCursor(cursor, position) : null
  const isQueue = filter === 'waiting'
  const rank = isQueue ? sql`(not c.is_question)::int` : sql`0`
  const rows = await queryRows<Row>(
    db,
    sql`select c.id, c.parent_id as "parentId", c.issue_id as "issueId", coalesce(i.title, '') as title, c.state, c.text,
        coalesce(a.name, ${nameless}) as name, ${staffRole === 'owner' ? sql`c.user_id` : sql`null::uuid`} as "memberId",
        a.suspended_at is not null as "isSuspended", c.is_question as "isQuestion", ${rank} as rank,
        (extract(epoch from c.created_at) * 1000000)::bigint::text as micros,
        array(select m.reason from comment_mark m where m.comment_id = c.id and m.kind = 'report' order by m.at limit 20) as reports
      from comment c left join issues i on i.id = c.issue_id left join comment_author a on a.user_id = c.user_id
      where ${conditionOf[filter]} ${after ? sql`and (${rank}, c.created_at, c.id) ${isQueue ? sql`>` : sql`<`} (${after[0]}::int, ${fromMicroseconds(after[1])}, ${after[2]}::uuid)` : sql``}
      order by ${isQueue ? sql`c.is_question desc, c.created_at, c.id` : sql`c.created_at desc, c.id desc`} limit ${limit + 1}`,
  )
  const { page, nextCursor } = pageOf(rows, limit, (last) => [last.rank, last.micros, last.id])
  return {
    items: page.map(({ micros, issueId, title, text, ...row }) => ({
      ...row,
      drop: { id: issueId, title },
      html: renderComment(text),
      at: new Date(Number(micros) / 1000).toISOString(),
    })),
    nextCursor,
  }
}

/** @throws AppError not_found */
async function lockComment(tx: Tx, id: string): Promise<CommentRow> {
  const [row] = await tx.select().from(comment).where(eq(comment.id, id)).for('update')
  if (!row || row.state === 'deleted') throw new AppError('not_found')
  return row
}

/**
 * Approves an answer and resolves its reports and question, or hides it. A question that was held stays in the list until
 * the editor answers it.
 * @throws AppError not_found
 */
export async function moderateComment(
  deps: Pick<TalkDeps, 'database' | 'clock'>,
  who: Actor,
  { id, isShown }: { id: string; isShown: boolean },
): Promise<void> {
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const row = await lockComment(tx, id)
    const becomesVisible = isShown && row.state !== 'visible'
    const waits = becomesVisible && row.isQuestion && !row.isAnswered
    const state = isShown ? 'visible' : 'hidden'
    const publishedAt = isShown ? (row.publishedAt ?? now) : row.publishedAt
    await tx.update(comment).set({ state, publishedAt, waits }).where(eq(comment.id, id))
    if (becomesVisible && row.publishedAt === null) await followReply(tx, row)
    else await refreshAnswered(tx, row.parentId)
    await recordAdminEvent(tx, who, { event: isShown ? 'comment_shown' : 'comment_hidden', note: `Answer ${id}`, now })
  })
}

/** @throws AppError not_found, also if the author deleted their account */
export async function suspendCommenter(
  { database, clock }: Pick<TalkDeps, 'database' | 'clock'>,
  who: Actor,
  { id, isSuspended }: { id: string; isSuspended: boolean },
): Promise<void> {
  const now = clock()
  await database.db.transaction(async (tx) => {
    const { userId } = await lockComment(tx, id)
    const [user] = userId ? await tx.select({ email: users.email }).from(users).where(eq(users.id, userId)) : []
    if (!userId || !user) throw new AppError('not_found')
    const set = { suspendedAt: isSuspended ? now : null }
    await tx
      .insert(commentAuthor)
      .values({ userId, name: nameless, chosenAt: now, ...set })
      .onConflictDoUpdate({ target: commentAuthor.userId, set })
    const event = isSuspended ? 'commenter_suspended' : 'commenter_restored'
    await recordAdminEvent(tx, who, { event, about: { userId, email: user.email ?? '' }, now })
  })
}
