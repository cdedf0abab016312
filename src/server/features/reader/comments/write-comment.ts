import { randomUUID } from 'node:crypto'
import { and, eq, gt, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { comment, commentAuthor, commentMark } from '#server/db/schema/index.ts'
import { consumePoint, userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { rateLimitError } from '#server/features/identity/auth/limits/rate-limit-error.ts'
import { lockPresentUser } from '#server/features/identity/auth/users/lock-user.ts'
import { recordStaffEvent } from '#server/features/identity/staff/record-staff-event.ts'
import type { Principal } from '#server/http/principal.ts'
import type {
  CommentItem,
  changeCommentCall,
  markCommentCall,
  postCommentCall,
} from '#shared/contracts/reader/comments.ts'
import { blockedWordFinder, commentProblem, editableUntil, maxReplies } from '#shared/domain/comments.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { AppError } from '#shared/errors.ts'
import { readItems } from './read-comments.ts'
import { isEditor, readTalkSettings, requireTalk, type TalkDeps } from './talk-rules.ts'

export type CommentRow = typeof comment.$inferSelect

/** Answers, and reports, of one member. Nobody writes more by hand. */
const maxPerHour = 20

async function consumeQuota({ database, clock }: TalkDeps, { userId }: Principal, what: 'answers' | 'reports') {
  const now = clock()
  const used = await consumePoint(database.db, userCounterKey(userId, `comment-${what}`), 3_600, now)
  if (used.points > maxPerHour) throw rateLimitError({ what, until: used.expiresAt, now })
}

const invalid = (message: string) => new AppError('validation_failed', { message })

/** @throws AppError validation_failed for a blocked word */
export async function saveName(tx: Tx, userId: string, name: string, now: Date): Promise<void> {
  const { blockedWords } = await readTalkSettings(tx)
  if (blockedWordFinder(blockedWords)(name)) throw invalid('Choose another name.')
  const set = { name, chosenAt: now }
  await tx
    .insert(commentAuthor)
    .values({ userId, ...set })
    .onConflictDoUpdate({ target: commentAuthor.userId, set })
}

/** True if the staff must approve a text first. @throws AppError validation_failed */
async function mustWait(tx: Tx, who: Principal, text: string): Promise<boolean> {
  const problem = commentProblem(text)
  if (problem) throw invalid(problem)
  if (isEditor(who)) return false
  const { holdsFirst, blockedWords } = await readTalkSettings(tx)
  if (blockedWordFinder(blockedWords)(text)) return true
  const wasAccepted = and(eq(comment.userId, who.userId), eq(comment.state, 'visible'))
  return holdsFirst && (await tx.$count(comment, wasAccepted)) === 0
}

/** Locks the answer until its reply is stored. @throws AppError not_found unless it is visible under that drop */
async function lockParent(tx: Tx, issueId: string, id: string): Promise<CommentRow> {
  const visible = and(eq(comment.id, id), eq(comment.issueId, issueId), eq(comment.state, 'visible'))
  const [found] = await tx.select().from(comment).where(visible).for('key share')
  if (!found) throw new AppError('not_found', { message: 'The answer you’re replying to is no longer here.' })
  if ((await tx.$count(comment, eq(comment.parentId, id))) >= maxReplies) {
    throw invalid(`This answer has ${maxReplies} replies. Post a new answer instead.`)
  }
  return found
}

/**
 * Stores an answer or a reply. The same text under the same answer within a day is stored once.
 * @throws AppError not_found, comments_closed, comments_suspended, validation_failed, over_request_rate_limit
 */
export async function postComment(
  deps: TalkDeps,
  who: Principal,
  { issueId, parentId, text, isQuestion, name }: z.output<typeof postCommentCall.input>,
): Promise<CommentItem> {
  const now = deps.clock()
  await consumeQuota(deps, who, 'answers')
  return deps.database.db.transaction(async (tx) => {
    await lockPresentUser(tx, who.userId)
    const { own } = await requireTalk(deps, tx, who, issueId)
    if (!own && !name) throw invalid('Choose a display name.')
    const replied = parentId ? await lockParent(tx, issueId, parentId) : null
    // There is one level of replies.
    const parent = replied?.parentId ? await lockParent(tx, issueId, replied.parentId) : replied
    const same = and(
      eq(comment.userId, who.userId),
      eq(comment.text, text),
      gt(comment.createdAt, new Date(now.getTime() - dayMs)),
    )
    const sent = await tx.select().from(comment).where(same)
    const repeated = sent.find((each) => each.issueId === issueId && each.parentId === (parent?.id ?? null))
    if (sent.length > 0 && !repeated) throw invalid('You already posted this text somewhere else.')
    if (name && !repeated) await saveName(tx, who.userId, name, now)
    const id = repeated?.id ?? randomUUID()
    if (!repeated) {
      const waits = await mustWait(tx, who, text)
      const asks = isQuestion && !parent && !isEditor(who)
      const row = {
        ...{ id, issueId, parentId: parent?.id ?? null, userId: who.userId, text, createdAt: now },
        ...{ isEditor: isEditor(who), isQuestion: asks, waits: waits || asks },
        // No one is told about their own replies.
        toldAt: parent?.userId === who.userId ? now : null,
        ...(waits ? { state: 'held' as const } : { state: 'visible' as const, publishedAt: now }),
      }
      const [stored] = await tx.insert(comment).values(row).returning()
      await recordStaffEvent(tx, 'answer')
      if (stored && !waits) await followReply(tx, stored)
    }
    const [item] = await readItems(deps, tx, who, [id])
    if (!item) throw new AppError('not_found')
    return item
  })
}

/** Updates the question after a reply became visible: it leaves the staff's list if the reply is the editor's. */
export async function followReply(tx: Tx, { parentId, isEditor: byEditor }: CommentRow): Promise<void> {
  await refreshAnswered(tx, parentId)
  if (parentId && byEditor) await tx.update(comment).set({ waits: false }).where(eq(comment.id, parentId))
}

/** Stores whether the editor answered a question. */
export const refreshAnswered = async (tx: Tx, id: string | null) =>
  id &&
  (await tx.execute(sql`update comment q set is_answered = exists (
      select 1 from comment r where r.parent_id = q.id and r.is_editor and r.state = 'visible')
    where q.id = ${id}::uuid and q.is_question`))

/** Changes the text within 15 minutes, or deletes it. Held and hidden answers stay so. @throws AppError as posting */
export async function changeComment(
  deps: TalkDeps,
  who: Principal,
  { id, text }: z.output<typeof changeCommentCall.input>,
): Promise<void> {
  const now = deps.clock()
  if (text !== null) await consumeQuota(deps, who, 'answers')
  await deps.database.db.transaction(async (tx) => {
    const own = and(eq(comment.id, id), eq(comment.userId, who.userId), ne(comment.state, 'deleted'))
    const [row] = await tx.select().from(comment).where(own).for('update')
    if (!row) throw new AppError('not_found')
    if (text === null) return removeComment(tx, row)
    await requireTalk(deps, tx, who, row.issueId)
    if (now >= editableUntil(row.createdAt)) throw new AppError('comment_edit_over')
    const holds = (await mustWait(tx, who, text)) && row.state === 'visible'
    const held = { state: 'held', waits: true, publishedAt: null } as const
    await tx
      .update(comment)
      .set({ text, editedAt: now, ...(holds && held) })
      .where(eq(comment.id, id))
  })
}

/** Keeps the row of an answer with replies, without text and author. */
async function removeComment(tx: Tx, { id, parentId }: CommentRow): Promise<void> {
  if ((await tx.$count(comment, eq(comment.parentId, id))) > 0) {
    const gone = { text: '', state: 'deleted', waits: false, userId: null, helpful: 0 } as const
    await tx.update(comment).set(gone).where(eq(comment.id, id))
    await tx.delete(commentMark).where(eq(commentMark.commentId, id))
  } else await tx.delete(comment).where(eq(comment.id, id))
  await refreshAnswered(tx, parentId)
}

/** Deletes an account's answers and marks. Replies of others stay. */
export async function deleteComments(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`update comment c set helpful = c.helpful - 1 from comment_mark m
    where m.comment_id = c.id and m.user_id = ${userId}::uuid and m.kind = 'helpful'`)
  // Replies first, so that answers without others' replies go as well.
  const rows = await tx.select().from(comment).where(eq(comment.userId, userId)).orderBy(sql`parent_id nulls last`)
  for (const row of rows) await removeComment(tx, row)
}

/** Each reader counts once. @throws AppError not_found for the reader's own answers and those that aren't visible */
export async function markComment(
  deps: TalkDeps,
  who: Principal,
  { id, mark, reason }: z.output<typeof markCommentCall.input>,
): Promise<void> {
  if (mark === 'report') await consumeQuota(deps, who, 'reports')
  if (mark === 'report' && reason === '') throw invalid('Say what is wrong with it.')
  await deps.database.db.transaction(async (tx) => {
    const visible = and(eq(comment.id, id), eq(comment.state, 'visible'))
    const [row] = await tx.select().from(comment).where(visible).for('no key update')
    if (!row || row.userId === who.userId) throw new AppError('not_found')
    await requireTalk(deps, tx, who, row.issueId)
    const kind = mark === 'report' ? 'report' : 'helpful'
    const marks = and(eq(commentMark.commentId, id), eq(commentMark.kind, kind))
    if (mark === 'not-helpful') await tx.delete(commentMark).where(and(marks, eq(commentMark.userId, who.userId)))
    else {
      const values = { commentId: id, userId: who.userId, kind, reason, at: deps.clock() } as const
      const added = await tx.insert(commentMark).values(values).onConflictDoNothing().returning()
      if (added.length === 0) return
    }
    const set = kind === 'report' ? { waits: true } : { helpful: await tx.$count(commentMark, marks) }
    await tx.update(comment).set(set).where(eq(comment.id, id))
  })
}
