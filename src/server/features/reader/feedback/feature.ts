import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/reader/feedback.ts'
import { answerQuestion, offerCase, rateItem, readDropFeedback, readOwnGuideVotes } from './drop-feedback.ts'
import { listItemVotes, listPolls, readAdminDropFeedback } from './feedback-report.ts'
import { listAnswers } from './list-answers.ts'
import { pollRoutes } from './poll.routes.ts'
import { vote } from './polls.ts'

/** Calls for polls, answers and votes. */
const feedbackCalls = (deps: Deps): Implementation[] => [
  implement(contracts.dropFeedbackCall, (input, who) => readDropFeedback(deps, who, input)),
  implement(contracts.voteInPollCall, (input, { userId }) => vote(deps, userId, input)),
  implement(contracts.answerQuestionCall, (input, who) => answerQuestion(deps, who, input)),
  implement(contracts.offerCaseCall, (input, who) => offerCase(deps, who, input)),
  implement(contracts.rateItemCall, (input, who) => rateItem(deps, who, input)),
  implement(contracts.ownGuideVotesCall, (_, who) => readOwnGuideVotes(deps, who)),
  implement(contracts.adminAnswersCall, (page, who) => listAnswers(deps, who, page)),
  implement(contracts.adminDropFeedbackCall, (input) => readAdminDropFeedback(deps.database.db, input)),
  implement(contracts.adminItemVotesCall, () => listItemVotes(deps.database.db)),
  implement(contracts.adminPollsCall, () => listPolls(deps.database.db)),
]

export const feedbackFeature: Feature = {
  calls: feedbackCalls,
  routes: (deps) => [pollRoutes(deps)],
}
