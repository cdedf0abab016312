import { and, desc, eq, lt, or } from 'drizzle-orm'
import { z } from 'zod'
import { comment, commentAuthor } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import type { Actor } from '#server/features/identity/auth/security/admin-event.ts'
import { moderateComment } from '#server/features/reader/comments/moderate-comments.ts'
import { nameless } from '#server/features/reader/comments/read-comments.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { CommentState } from '#shared/contracts/reader/comments.ts'
import { AppError } from '#shared/errors.ts'

type AnswerDeps = Pick<Deps, 'database' | 'clock'>
type Query = { cursor?: string; limit?: number; dropId?: string; state?: CommentState }

const defaultPageSize = 50
const positionSchema = z.tuple([z.iso.datetime(), z.uuid()])

const selectAnswers = ({ db }: Deps['database']) =>
  db
    .select({ row: comment, name: commentAuthor.name })
    .from(comment)
    .leftJoin(commentAuthor, eq(commentAuthor.userId, comment.userId))

const toAnswer = ({ row, name }: Awaited<ReturnType<typeof selectAnswers>>[number]) => {
  const { id, issueId: dropId, parentId, state, text, isEditor, isQuestion, waits: isWaiting, helpful, createdAt } = row
  const facts = { id, dropId, parentId, state, text, isEditor, isQuestion, isWaiting, helpful }
  return { ...facts, name: name ?? nameless, createdAt: createdAt.toISOString() }
}

/** Answers and replies, newest first. */
export async function listApiAnswers(
  { database }: Pick<AnswerDeps, 'database'>,
  { cursor, limit = defaultPageSize, dropId, state }: Query,
) {
  const [at, id] = cursor ? decodeCursor(cursor, positionSchema) : []
  const createdAt = new Date(at ?? 0)
  const older = id && or(lt(comment.createdAt, createdAt), and(eq(comment.createdAt, createdAt), lt(comment.id, id)))
  const rows = await selectAnswers(database)
    .where(
      and(
        dropId ? eq(comment.issueId, dropId) : undefined,
        state ? eq(comment.state, state) : undefined,
        older || undefined,
      ),
    )
    .orderBy(desc(comment.createdAt), desc(comment.id))
    .limit(limit + 1)
  const { page, nextCursor } = pageOf(rows, limit, ({ row }) => [row.createdAt.toISOString(), row.id])
  return { items: page.map(toAnswer), nextCursor }
}

/** @throws AppError not_found, also for a deleted answer */
export async function setApiAnswerState(
  deps: AnswerDeps,
  who: Actor,
  { id, state }: { id: string; state: 'visible' | 'hidden' },
) {
  await moderateComment(deps, who, { id, isShown: state === 'visible' })
  const [found] = await selectAnswers(deps.database).where(eq(comment.id, id))
  if (!found) throw new AppError('not_found')
  return toAnswer(found)
}
