import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { ownWords } from '#client/lib/publication.ts'
import { announce } from '#client/ui/announce.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError, TextAreaField } from '#client/ui/form.tsx'
import { type DropFeedback as Feedback, maxAnswerLength } from '#shared/contracts/reader/feedback.ts'
import { dropFeedbackQuery, useAnswerQuestion } from './feedback.api.ts'
import { Poll } from './poll.tsx'
import { UsefulVote } from './useful-vote.tsx'

/** Under the closing question: the reader's answers so far, and a box for one. */
function AnswerBox({ issueId, answers }: { issueId: string; answers: Feedback['answers'] }) {
  const [text, setText] = useState('')
  const send = useAnswerQuestion(issueId)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!text.trim() || send.isPending) return
    send.mutate(text, {
      onSuccess: () => {
        setText('')
        announce('Answer sent')
      },
    })
  }
  return (
    <section aria-label="Your answer">
      {answers.map((answer) => (
        <blockquote key={answer.at} className="mb-4 border-l-3 border-accent pl-4 text-base">
          <p className="text-sm text-muted">You answered</p>
          <p className="whitespace-pre-line [overflow-wrap:anywhere]">{answer.text}</p>
        </blockquote>
      ))}
      <form onSubmit={handleSubmit} className="grid gap-3">
        <TextAreaField
          label={answers.length > 0 ? 'Add to your answer' : 'Answer the question'}
          hint="The publisher reads it, with your name. Other readers don’t see it."
          rows={3}
          maxLength={maxAnswerLength}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <InlineError>{formErrorMessage(send.error)}</InlineError>
        <div>
          <Button type="submit" variant="secondary" pending={send.isPending} disabled={!text.trim()}>
            Send answer
          </Button>
        </div>
      </form>
    </section>
  )
}

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
