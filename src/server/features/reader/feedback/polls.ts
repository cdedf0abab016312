import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { issues, pollVotes, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import type { PollState } from '#shared/contracts/reader/feedback.ts'
import { pollClosesAt } from '#shared/domain/poll.ts'
import { AppError } from '#shared/errors.ts'

export type PollDeps = Pick<Deps, 'database' | 'clock'>

export type PublishedDrop = {
  id: string
  slug: string
  title: string
  question: string
  pollQuestion: string
  pollAnswers: string[]
  publishedAt: Date
}

/** @throws AppError not_found for a drop that isn't published */
export async function findDrop(db: Db | Tx, issueId: string): Promise<PublishedDrop> {
  const [drop] = await db
    .select({
      id: issues.id,
      slug: issues.slug,
      title: issues.title,
      question: issues.question,
      pollQuestion: issues.pollQuestion,
      pollAnswers: issues.pollAnswers,
      publishedAt: issues.publishedAt,
    })
    .from(issues)
    .where(and(eq(issues.id, issueId), isNotNull(issues.publishedAt)))
  if (!drop?.publishedAt) throw new AppError('not_found')
  return { ...drop, publishedAt: drop.publishedAt }
}

export const hasPoll = ({ pollQuestion }: Pick<PublishedDrop, 'pollQuestion'>): boolean => pollQuestion !== ''
export const isPollClosed = ({ publishedAt }: PublishedDrop, now: Date): boolean => pollClosesAt(publishedAt) <= now

/** Readers see the results once they have voted, so that these don't sway them, or once the poll is closed. */
export async function readPollState(
  db: Db | Tx,
  drop: PublishedDrop,
  userId: string,
  now: Date,
): Promise<PollState | null> {
  if (!hasPoll(drop)) return null
  const isClosed = isPollClosed(drop, now)
  const [vote] = await db
    .select({ answer: pollVotes.answer })
    .from(pollVotes)
    .where(and(eq(pollVotes.issueId, drop.id), eq(pollVotes.userId, userId)))
  const votes = vote || isClosed ? await countVotes(db, drop.id) : null
  return {
    question: drop.pollQuestion,
    answers: drop.pollAnswers.map((text) => ({ text, votes: votes && (votes.get(text) ?? 0) })),
    own: vote?.answer ?? null,
    isClosed,
  }
}

/** Votes by answer, most first. */
export async function countVotes(db: Db | Tx, issueId: string): Promise<Map<string, number>> {
  const rows = await queryRows<{ answer: string; votes: number }>(
    db,
    sql`select answer, count(*)::int as votes from poll_votes where issue_id = ${issueId}
      group by answer order by votes desc, answer`,
  )
  return new Map(rows.map(({ answer, votes }) => [answer, votes]))
}

/**
 * Records the reader's vote, or changes it.
 * @throws AppError not_found without a poll, validation_failed for an answer that isn't offered or a closed poll
 */
export async function vote(
  { database, clock }: PollDeps,
  userId: string,
  { issueId, answer }: { issueId: string; answer: string },
): Promise<PollState> {
  const now = clock()
  return database.db.transaction(async (tx) => {
    // Locks the user against a concurrent deletion, which would violate the foreign key.
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('key share')
    const drop = await findDrop(tx, issueId)
    if (!user || !hasPoll(drop)) throw new AppError('not_found')
    if (isPollClosed(drop, now)) throw new AppError('validation_failed', { message: 'This poll is closed' })
    if (!drop.pollAnswers.includes(answer)) {
      throw new AppError('validation_failed', { message: 'This answer is no longer part of the poll. Choose another' })
    }
    const set = { answer, at: now }
    await tx
      .insert(pollVotes)
      .values({ issueId, userId, ...set })
      .onConflictDoUpdate({ target: [pollVotes.issueId, pollVotes.userId], set })
    const state = await readPollState(tx, drop, userId, now)
    if (!state) throw new AppError('not_found')
    return state
  })
}
