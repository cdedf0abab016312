import { asc, eq } from 'drizzle-orm'
import { itemVotes, pollVotes, questionAnswers } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  pollVotes: {
    tables: ['public.poll_votes'],
    read: (tx, userId) =>
      tx
        .select({ drop: pollVotes.issueId, answer: pollVotes.answer, at: pollVotes.at })
        .from(pollVotes)
        .where(eq(pollVotes.userId, userId))
        .orderBy(asc(pollVotes.at)),
  },
  answersToQuestions: {
    tables: ['public.question_answers'],
    read: (tx, userId) =>
      tx
        .select({
          id: questionAnswers.id,
          drop: questionAnswers.issueId,
          question: questionAnswers.question,
          text: questionAnswers.text,
          at: questionAnswers.at,
        })
        .from(questionAnswers)
        .where(eq(questionAnswers.userId, userId))
        .orderBy(asc(questionAnswers.at)),
  },
  votes: {
    tables: ['public.item_votes'],
    read: (tx, userId) =>
      tx
        .select({
          kind: itemVotes.kind,
          id: itemVotes.itemId,
          useful: itemVotes.useful,
          why: itemVotes.why,
          at: itemVotes.at,
        })
        .from(itemVotes)
        .where(eq(itemVotes.userId, userId))
        .orderBy(asc(itemVotes.at)),
  },
}
