import { clsx } from 'clsx'
import { useId } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { announce } from '#client/ui/announce.ts'
import { InlineError } from '#client/ui/form.tsx'
import type { PollState } from '#shared/contracts/reader/feedback.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { useVoteInPoll } from './feedback.api.ts'

/** A poll of one tap. The results appear after the vote, which can change until the poll closes. */
export function Poll({ issueId, poll }: { issueId: string; poll: PollState }) {
  const titleId = useId()
  const vote = useVoteInPoll(issueId)
  const { question, answers, own, isClosed } = poll
  const total = answers.reduce((sum, { votes }) => sum + (votes ?? 0), 0)
  const handleVote = (text: string) => {
    if (vote.isPending || text === own) return
    vote.mutate(text, { onSuccess: () => announce(`Voted: ${text}`) })
  }
  return (
    <section aria-labelledby={titleId}>
      <p className="text-sm font-semibold">A quick poll</p>
      <h2 id={titleId} className="display mt-1 text-xl [overflow-wrap:anywhere]">
        {question}
      </h2>
      <ul className="mt-4 grid gap-2 text-base">
        {answers.map(({ text, votes }) => (
          <li key={text}>
            <button
              type="button"
              aria-pressed={text === own}
              disabled={isClosed}
              onClick={() => handleVote(text)}
              className={clsx(
                'relative flex min-h-11 w-full items-center justify-between gap-4 overflow-hidden rounded-md border px-4 py-2.5 text-left',
                text === own ? 'border-success font-semibold' : 'border-line-strong enabled:hover:border-ink',
              )}
            >
              {votes !== null && total > 0 && (
                <span
                  aria-hidden
                  className="absolute inset-y-0 left-0 bg-success-soft"
                  style={{ width: `${(votes / total) * 100}%` }}
                />
              )}
              <span className="relative min-w-0 [overflow-wrap:anywhere]">{text}</span>
              {votes !== null && (
                <span className="relative shrink-0 tabular-nums">
                  {total > 0 ? Math.round((votes / total) * 100) : 0}%
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-muted">
        {own || isClosed
          ? `${formatCount(total, 'vote')}. ${isClosed ? 'This poll is closed.' : 'Tap another answer to change yours.'}`
          : 'You see the results once you vote.'}
      </p>
      <InlineError>{formErrorMessage(vote.error)}</InlineError>
    </section>
  )
}
