import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { PageLink } from '#client/ui/page-link.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { AdminDropFeedback } from '#shared/contracts/reader/feedback.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { pollToken } from '#shared/domain/poll.ts'
import { adminDropFeedbackQuery } from './feedback-report.api.ts'
import { Rating } from './rating.tsx'

/** Votes and answers about a drop, in the report of its mailing. `linksMembers`: the viewer's role may see members. */
export function DropFeedbackReport({ issueId, linksMembers }: { issueId: string; linksMembers: boolean }) {
  const { data } = useQuery(adminDropFeedbackQuery(issueId))
  if (!data) return null
  const { poll, rating, answers, replies } = data
  return (
    <div className="grid gap-x-12 lg:grid-cols-2">
      {poll && <PollResults issueId={issueId} poll={poll} linksMembers={linksMembers} />}
      {(rating.useful + rating.notUseful > 0 || answers + replies > 0) && (
        <section aria-labelledby="report-useful" className="mt-8">
          <h4 id="report-useful" className="border-b-2 border-ink pb-2 font-semibold">
            What readers said
          </h4>
          {rating.useful + rating.notUseful > 0 && <Rating rating={rating} />}
          {answers + replies > 0 && (
            <p className="mt-2 text-sm">
              <Link to="/admin/tried" className="text-link inline-flex min-h-11 items-center">
                {[
                  answers > 0 && `${formatCount(answers, 'answer')} to the question`,
                  replies > 0 && `${formatCount(replies, 'reply', 'replies')} by email`,
                ]
                  .filter(Boolean)
                  .join(', ')}
              </Link>
            </p>
          )}
        </section>
      )}
    </div>
  )
}

type PollResultsProps = { issueId: string; poll: NonNullable<AdminDropFeedback['poll']>; linksMembers: boolean }

function PollResults({ issueId, poll: { question, answers, closesAt }, linksMembers }: PollResultsProps) {
  const total = answers.reduce((sum, { votes }) => sum + votes, 0)
  return (
    <section aria-labelledby="report-poll" className="mt-8">
      <h4 id="report-poll" className="border-b-2 border-ink pb-2 font-semibold wrap-anywhere">
        Poll: {question}
      </h4>
      <ul>
        {answers.map(({ text, votes, isOffered }) => (
          <li key={text} className="border-b border-line py-2">
            <div className="flex items-center justify-between gap-4 text-sm">
              <span className="min-w-0 wrap-anywhere">
                {text}
                {!isOffered && <span className="text-muted"> (before it was changed)</span>}
              </span>
              {votes > 0 && linksMembers ? (
                <PageLink
                  to={`/admin/members?${new URLSearchParams({ poll: pollToken(issueId, text) })}`}
                  label={`${formatCount(votes, 'vote')} for ${text}, show the members`}
                  className="inline-flex min-h-11 min-w-11 shrink-0 items-center justify-end px-1 tabular-nums"
                >
                  {votes}
                </PageLink>
              ) : (
                <span className="inline-flex min-h-11 shrink-0 items-center px-1 tabular-nums">{votes}</span>
              )}
            </div>
            <div aria-hidden className="h-1.5 rounded-sm bg-sunken">
              <div
                className="h-full rounded-sm bg-accent"
                style={{ width: `${total > 0 ? (votes / total) * 100 : 0}%` }}
              />
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-muted">
        {formatCount(total, 'vote')}
        {closesAt && (
          <>
            . {Date.parse(closesAt) > Date.now() ? 'Closes' : 'Closed'} <Timestamp inline at={closesAt} />
          </>
        )}
        {linksMembers && total > 0 && '. Open a number and save the list as a view to write to these members.'}
      </p>
    </section>
  )
}
