import { useQuery } from '@tanstack/react-query'
import { guideVotesQuery } from './feedback.api.ts'
import { UsefulVote } from './useful-vote.tsx'

/** Nothing is shown without a connection. */
export default function GuideVote({ id }: { id: string }) {
  const { data } = useQuery(guideVotesQuery)
  if (!data) return null
  return <UsefulVote kind="guide" id={id} what="this guide" vote={data.votes.find((vote) => vote.id === id) ?? null} />
}
