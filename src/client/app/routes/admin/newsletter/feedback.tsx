import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { oneOf } from '#client/features/publishing/deliverability/suppression-filter.tsx'
import { pagedQuery } from '#client/lib/calls.ts'
import { inWords } from '#client/lib/publication.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'
import {
  adminEmailFeedbackCall,
  type EmailFeedback,
  type EmailFeedbackItem,
  emailFeedback,
  unsubscribedStreams,
} from '#shared/contracts/publishing/deliverability.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { formatDay } from '#shared/domain/format.ts'

const dayPattern = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

/** Today and the 29 days before it (UTC), as on the overview. */
const monthAgo = () => new Date(Date.now() - 29 * dayMs).toISOString().slice(0, 10)

const ledes: Record<EmailFeedback, (day: string) => string> = {
  unsubscribed: (day) => `Members who turned off an email since ${day} and haven’t turned everything back on.`,
  bounced: (day) => `Emails that came back, of mailings sent since ${day}.`,
  complaint: (day) => `Emails that readers reported as spam, of mailings sent since ${day}.`,
}

/** The people behind a figure of the overview. What isn't valid in the address falls back to the last 30 days. */
export function Component() {
  const [search] = useSearchParams()
  const feedback = oneOf(emailFeedback, search.get('feedback')) ?? 'unsubscribed'
  const wanted = search.get('since') ?? ''
  const since = dayPattern.test(wanted) && !Number.isNaN(Date.parse(wanted)) ? wanted : monthAgo()
  usePageTitle(emailFeedback[feedback])
  const others = (Object.keys(emailFeedback) as EmailFeedback[]).filter((other) => other !== feedback)
  return (
    <>
      <BackLink to="/admin/newsletter/deliverability">Suppressed addresses</BackLink>
      <PageHeading title={emailFeedback[feedback]} lede={ledes[feedback](formatDay(since))} className="mb-8" />
      <p className="mb-6 flex flex-wrap gap-x-6">
        {others.map((other) => (
          <Link
            key={other}
            to={`?feedback=${other}&since=${since}`}
            className="text-link inline-flex min-h-11 items-center"
          >
            {emailFeedback[other]}
          </Link>
        ))}
      </p>
      <FeedbackList feedback={feedback} since={since} />
    </>
  )
}

/** Newest first. */
const feedbackQuery = (feedback: EmailFeedback, since: string) =>
  pagedQuery(['admin-email-feedback', feedback, since], adminEmailFeedbackCall, { feedback, since })

const emptyTexts: Record<EmailFeedback, string> = {
  unsubscribed: 'No one unsubscribed.',
  bounced: 'No email bounced.',
  complaint: 'No one reported an email as spam.',
}

/** Members who unsubscribed since a day, or deliveries that bounced or were reported. */
function FeedbackList({ feedback, since }: { feedback: EmailFeedback; since: string }) {
  const list = useInfiniteQuery(feedbackQuery(feedback, since))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <InfiniteList
      query={list}
      what="the list"
      skeleton={<SkeletonText lines={8} height="h-12" />}
      empty={items.length === 0 ? emptyTexts[feedback] : null}
    >
      <ol aria-label={emailFeedback[feedback]} className="border-t-2 border-ink">
        {items.map((item) => (
          <FeedbackRow key={item.id} item={item} />
        ))}
      </ol>
    </InfiniteList>
  )
}

const linkStyles = 'text-link inline-flex min-h-11 items-center sm:min-h-0'

function FeedbackRow({
  item: { userId, email, at, mailing, bounceType, off, newsletters },
}: {
  item: EmailFeedbackItem
}) {
  const turnedOff = [...off.map((stream) => inWords(unsubscribedStreams[stream])), ...newsletters]
  return (
    <li className="grid gap-x-8 border-b border-line py-2.5 md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_10rem]">
      <p className="min-w-0 [overflow-wrap:anywhere]">
        {email ? (
          <Link to={`/admin/members/${userId}`} className={linkStyles}>
            {email}
          </Link>
        ) : (
          <span className="text-muted">Account deleted</span>
        )}
      </p>
      <p className="min-w-0 text-sm [overflow-wrap:anywhere]">
        {mailing && (
          <Link to={`/admin/newsletter/${mailing.id}`} className={linkStyles}>
            {mailing.subject || 'No subject'}
          </Link>
        )}
        {bounceType && (
          <span className="block text-muted">{bounceType === 'hard' ? 'Hard bounce' : 'Soft bounce'}</span>
        )}
        {turnedOff.length > 0 && `Turned off: ${turnedOff.join(', ')}`}
      </p>
      <p className="text-sm text-muted tabular-nums md:text-right">
        <Timestamp at={at} />
      </p>
    </li>
  )
}
