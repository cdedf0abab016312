import { alwaysStaleQuery, pagedQuery } from '#client/lib/calls.ts'
import {
  adminAnswersCall,
  adminDropFeedbackCall,
  adminItemVotesCall,
  adminPollsCall,
} from '#shared/contracts/reader/feedback.ts'

const pageSize = 20

export const answersQuery = pagedQuery(['admin-answers'], adminAnswersCall, { limit: pageSize })

export const itemVotesQuery = alwaysStaleQuery(['admin-item-votes'], adminItemVotesCall, {})

export const adminDropFeedbackQuery = (issueId: string) =>
  alwaysStaleQuery(['admin-drop-feedback', issueId], adminDropFeedbackCall, { issueId })

export const pollsQuery = alwaysStaleQuery(['admin-polls'], adminPollsCall, {})
