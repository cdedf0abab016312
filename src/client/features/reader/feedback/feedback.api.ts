import { useMutation, useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery, callQuery, invoke } from '#client/lib/calls.ts'
import {
  answerQuestionCall,
  type DropFeedback,
  dropFeedbackCall,
  type ItemVote,
  ownGuideVotesCall,
  type ratedKinds,
  rateItemCall,
  voteInPollCall,
} from '#shared/contracts/reader/feedback.ts'

export const dropFeedbackQuery = (issueId: string) =>
  alwaysStaleQuery(['drop-feedback', issueId], dropFeedbackCall, { issueId }, { retry: false })

export const guideVotesQuery = callQuery(['own-guide-votes'], ownGuideVotesCall, {}, { retry: false })

function useChangeFeedback(issueId: string) {
  const client = useQueryClient()
  const { queryKey } = dropFeedbackQuery(issueId)
  return (change: (state: DropFeedback) => DropFeedback) =>
    client.setQueryData(queryKey, (state) => state && change(state))
}

export function useVoteInPoll(issueId: string) {
  const change = useChangeFeedback(issueId)
  return useMutation({
    mutationFn: (answer: string) => invoke(voteInPollCall, { issueId, answer }),
    onSuccess: (poll) => change((state) => ({ ...state, poll })),
  })
}

export function useAnswerQuestion(issueId: string) {
  const change = useChangeFeedback(issueId)
  return useMutation({
    mutationFn: (text: string) => invoke(answerQuestionCall, { issueId, text }),
    onSuccess: (answer) =>
      change((state) => ({
        ...state,
        answers: [...state.answers.filter(({ text }) => text !== answer.text), answer],
      })),
  })
}

export function useRateItem(kind: (typeof ratedKinds)[number], id: string) {
  const client = useQueryClient()
  const changeDrop = useChangeFeedback(id)
  return useMutation({
    mutationFn: (vote: ItemVote) => invoke(rateItemCall, { kind, id, ...vote }),
    onSuccess: (vote) => {
      if (kind === 'issue') return void changeDrop((state) => ({ ...state, vote }))
      client.setQueryData(guideVotesQuery.queryKey, (state) => ({
        votes: [...(state?.votes ?? []).filter((other) => other.id !== id), { id, ...vote }],
      }))
    },
  })
}
