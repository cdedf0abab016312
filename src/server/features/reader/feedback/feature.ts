import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminAnswersCall,
  adminDropFeedbackCall,
  adminItemVotesCall,
  adminPollsCall,
  answerQuestionCall,
  dropFeedbackCall,
  offerCaseCall,
  ownGuideVotesCall,
  rateItemCall,
  voteInPollCall,
} from '#shared/contracts/reader/feedback.ts'
import { answerQuestion, offerCase, rateItem, readDropFeedback, readOwnGuideVotes } from './drop-feedback.ts'
import { listItemVotes, listPolls, readAdminDropFeedback } from './feedback-report.ts'
import { listAnswers } from './list-answers.ts'
import { pollRoutes } from './poll.routes.ts'
import { vote } from './polls.ts'

/** Calls for polls, answers and votes. */
const feedbackCalls = (deps: Deps): Implementation[] => [
  implement(dropFeedbackCall, (input, who) => readDropFeedback(deps, who, input)),
  implement(voteInPollCall, (input, { userId }) => vote(deps, userId, input)),
  implement(answerQuestionCall, (input, who) => answerQuestion(deps, who, input)),
  implement(offerCaseCall, (input, who) => offerCase(deps, who, input)),
  implement(rateItemCall, (input, who) => rateItem(deps, who, input)),
  implement(ownGuideVotesCall, (_, who) => readOwnGuideVotes(deps, who)),
  implement(adminAnswersCall, (page, who) => listAnswers(deps, who, page)),
  implement(adminDropFeedbackCall, (input) => readAdminDropFeedback(deps.database.db, input)),
  implement(adminItemVotesCall, () => listItemVotes(deps.database.db)),
  implement(adminPollsCall, () => listPolls(deps.database.db)),
]

export const feedbackFeature: Feature = {
  calls: feedbackCalls,
  routes: (deps) => [pollRoutes(deps)],
}
