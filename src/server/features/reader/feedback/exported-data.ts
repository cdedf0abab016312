import { asc } from 'drizzle-orm'
import { itemVotes, pollVotes, questionAnswers } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRows } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  pollVotes: ownRows(
    pollVotes.userId,
    { drop: pollVotes.issueId, answer: pollVotes.answer, at: pollVotes.at },
    asc(pollVotes.at),
  ),
  answersToQuestions: ownRows(
    questionAnswers.userId,
    {
      id: questionAnswers.id,
      drop: questionAnswers.issueId,
      question: questionAnswers.question,
      text: questionAnswers.text,
      at: questionAnswers.at,
    },
    asc(questionAnswers.at),
  ),
  votes: ownRows(
    itemVotes.userId,
    {
      kind: itemVotes.kind,
      id: itemVotes.itemId,
      useful: itemVotes.useful,
      why: itemVotes.why,
      at: itemVotes.at,
    },
    asc(itemVotes.at),
  ),
}
