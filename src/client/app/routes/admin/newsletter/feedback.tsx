import { Link, useSearchParams } from 'react-router'
import { FeedbackList } from '#client/features/publishing/deliverability/feedback-list.tsx'
import { oneOf } from '#client/features/publishing/deliverability/suppression-filter.tsx'
import { BackLink } from '#client/ui/back-link.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'
import { type EmailFeedback, emailFeedback } from '#shared/contracts/publishing/deliverability.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'

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
