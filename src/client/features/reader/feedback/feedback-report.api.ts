import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { invoke } from '#client/lib/invoke.ts'
import {
  adminAnswersCall,
  adminDropFeedbackCall,
  adminItemVotesCall,
  adminPollsCall,
} from '#shared/contracts/reader/feedback.ts'

const pageSize = 20

export const answersQuery = infiniteQueryOptions({
  queryKey: ['admin-answers'],
  queryFn: ({ pageParam, signal }) => invoke(adminAnswersCall, { cursor: pageParam, limit: pageSize }, signal),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
})

export const itemVotesQuery = queryOptions({
  queryKey: ['admin-item-votes'],
  queryFn: ({ signal }) => invoke(adminItemVotesCall, {}, signal),
  staleTime: 0,
})

export const adminDropFeedbackQuery = (issueId: string) =>
  queryOptions({
    queryKey: ['admin-drop-feedback', issueId],
    queryFn: ({ signal }) => invoke(adminDropFeedbackCall, { issueId }, signal),
    staleTime: 0,
  })

export const pollsQuery = queryOptions({
  queryKey: ['admin-polls'],
  queryFn: ({ signal }) => invoke(adminPollsCall, {}, signal),
  staleTime: 0,
})
