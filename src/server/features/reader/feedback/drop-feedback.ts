import { randomUUID } from 'node:crypto'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { contentItems, itemVotes, questionAnswers, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { consumePoint, userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { rateLimitError } from '#server/features/identity/auth/limits/rate-limit-error.ts'
import { recordStaffEvent } from '#server/features/identity/staff/record-staff-event.ts'
import type { Principal } from '#server/http/principal.ts'
import type {
  answerQuestionCall,
  DropFeedback,
  ItemVote,
  offerCaseCall,
  rateItemCall,
} from '#shared/contracts/reader/feedback.ts'
import { AppError } from '#shared/errors.ts'
import { findDrop, readPollState } from './polls.ts'

type FeedbackDeps = Pick<Deps, 'database' | 'clock'>

/** The reader's questions and answers at the end of a drop. @throws AppError not_found */
export async function readDropFeedback(
  { database: { db }, clock }: FeedbackDeps,
  { userId }: Pick<Principal, 'userId'>,
  { issueId }: { issueId: string },
): Promise<DropFeedback> {
  const drop = await findDrop(db, issueId)
  const [poll, answers, [vote]] = await Promise.all([
    readPollState(db, drop, userId, clock()),
    db
      .select({ text: questionAnswers.text, at: questionAnswers.at })
      .from(questionAnswers)
      .where(and(eq(questionAnswers.issueId, issueId), eq(questionAnswers.userId, userId)))
      .orderBy(asc(questionAnswers.at), asc(questionAnswers.id)),
    db
      .select({ useful: itemVotes.useful, why: itemVotes.why })
      .from(itemVotes)
      .where(and(eq(itemVotes.kind, 'issue'), eq(itemVotes.itemId, issueId), eq(itemVotes.userId, userId))),
  ])
  return {
    poll,
    question: drop.question,
    answers: answers.map(({ text, at }) => ({ text, at: at.toISOString() })),
    vote: vote ?? null,
  }
}

/** More than anyone writes by hand. */
const answerLimit = { points: 10, windowSeconds: 60 * 60 }

/**
 * Stores an answer to the closing question. The same text sent twice is stored once.
 * @throws AppError not_found without a question, over_request_rate_limit
 */
export async function answerQuestion(
  { database, clock }: FeedbackDeps,
  { userId }: Principal,
  { issueId, text }: z.output<typeof answerQuestionCall.input>,
) {
  return storeAnswer({ database, clock }, userId, {
    ...{ issueId, text },
    readQuestion: async (tx) => (await findDrop(tx, issueId)).question,
  })
}

/** In `question_answers`, in the place of a drop. */
export const caseIssueId = 'case:'

/** Stores a case that a member offers, as one text. @throws AppError over_request_rate_limit */
export async function offerCase(
  deps: FeedbackDeps,
  { userId }: Principal,
  { tried, numbers, failed, mayPublish }: z.output<typeof offerCaseCall.input>,
) {
  const text = `What was tried: ${tried}\n\nNumbers: ${numbers}\n\nWhat failed: ${failed}`
  const question = mayPublish ? 'A case that may be printed' : 'A case that may not be printed'
  return storeAnswer(deps, userId, { issueId: caseIssueId, text, readQuestion: async () => question })
}

type GivenAnswer = { issueId: string; text: string; readQuestion: (tx: Tx) => Promise<string> }

async function storeAnswer(
  { database, clock }: FeedbackDeps,
  userId: string,
  { issueId, text, readQuestion }: GivenAnswer,
) {
  const now = clock()
  const used = await consumePoint(database.db, userCounterKey(userId, 'answers'), answerLimit.windowSeconds, now)
  if (used.points > answerLimit.points) throw rateLimitError({ what: 'answers', until: used.expiresAt, now })
  return database.db.transaction(async (tx) => {
    await lockUser(tx, userId)
    const question = await readQuestion(tx)
    if (question === '') throw new AppError('not_found')
    const own = and(
      eq(questionAnswers.issueId, issueId),
      eq(questionAnswers.userId, userId),
      eq(questionAnswers.text, text),
    )
    const [known] = await tx.select({ at: questionAnswers.at }).from(questionAnswers).where(own)
    if (known) return { text, at: known.at.toISOString() }
    await tx.insert(questionAnswers).values({ id: randomUUID(), issueId, userId, question, text, at: now })
    await recordStaffEvent(tx, 'answer')
    return { text, at: now.toISOString() }
  })
}

/** Says whether a drop or guide was useful. The newest vote counts. @throws AppError not_found */
export async function rateItem(
  { database, clock }: FeedbackDeps,
  { userId }: Principal,
  { kind, id, useful, why }: z.output<typeof rateItemCall.input>,
): Promise<ItemVote> {
  return database.db.transaction(async (tx) => {
    await lockUser(tx, userId)
    const [item] = await tx
      .select({ id: contentItems.id })
      .from(contentItems)
      .where(and(eq(contentItems.kind, kind), eq(contentItems.id, id), isNull(contentItems.removedAt)))
    if (!item) throw new AppError('not_found')
    const set = { useful, why, at: clock() }
    await tx
      .insert(itemVotes)
      .values({ kind, itemId: id, userId, ...set })
      .onConflictDoUpdate({ target: [itemVotes.kind, itemVotes.itemId, itemVotes.userId], set })
    return { useful, why }
  })
}

export async function readOwnGuideVotes({ database: { db } }: FeedbackDeps, { userId }: Pick<Principal, 'userId'>) {
  const votes = await db
    .select({ id: itemVotes.itemId, useful: itemVotes.useful, why: itemVotes.why })
    .from(itemVotes)
    .where(and(eq(itemVotes.userId, userId), eq(itemVotes.kind, 'guide')))
  return { votes }
}

/** Locks the user against a concurrent deletion, which would violate the foreign key. @throws AppError not_found */
async function lockUser(tx: Tx, userId: string): Promise<void> {
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('key share')
  if (!user) throw new AppError('not_found')
}
