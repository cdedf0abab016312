import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { inWords } from '#client/lib/own-words.ts'
import { pagedQuery } from '#client/lib/paged-query.ts'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminEmailFeedbackCall,
  type EmailFeedback,
  type EmailFeedbackItem,
  emailFeedback,
  unsubscribedStreams,
} from '#shared/contracts/publishing/deliverability.ts'

/** Newest first. */
const feedbackQuery = (feedback: EmailFeedback, since: string) =>
  pagedQuery(['admin-email-feedback', feedback, since], adminEmailFeedbackCall, { feedback, since })

const emptyTexts: Record<EmailFeedback, string> = {
  unsubscribed: 'No one unsubscribed.',
  bounced: 'No email bounced.',
  complaint: 'No one reported an email as spam.',
}

/** Members who unsubscribed since a day, or deliveries that bounced or were reported. */
export function FeedbackList({ feedback, since }: { feedback: EmailFeedback; since: string }) {
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
