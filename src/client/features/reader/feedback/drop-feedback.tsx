import { useQuery } from '@tanstack/react-query'
import { ownWords } from '#client/lib/own-words.ts'
import { AnswerBox } from './answer-box.tsx'
import { dropFeedbackQuery } from './feedback.api.ts'
import { Poll } from './poll.tsx'
import { UsefulVote } from './useful-vote.tsx'

/** Nothing is shown without a connection, or in an issue that isn't published. */
export default function DropFeedback({ issueId }: { issueId: string }) {
  const { data } = useQuery(dropFeedbackQuery(issueId))
  if (!data) return null
  return (
    <div className="grid gap-10 pt-8">
      {data.question && <AnswerBox issueId={issueId} answers={data.answers} />}
      {data.poll && <Poll issueId={issueId} poll={data.poll} />}
      <UsefulVote kind="issue" id={issueId} what={ownWords`this drop`} vote={data.vote} />
    </div>
  )
}
