import { Link } from 'react-router'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { MailingEstimate } from '#shared/contracts/publishing/mailings.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { formatList } from '#shared/domain/format-days-and-lists.ts'

/** Nothing is shown if sending finishes sooner. */
const soonMs = 60_000

/** Why a mailing waits, when it resumes, and when it will finish. */
export function SendingEstimate({ estimate }: { estimate: MailingEstimate }) {
  const { waitsFor, resumesAt, finishesAt } = estimate
  const isSoon = finishesAt !== null && Date.parse(finishesAt) < Date.now() + soonMs
  if (!waitsFor && isSoon) return null
  return (
    <div className="mt-4 max-w-3xl border-l-3 border-accent bg-sunken px-4 py-3">
      {waitsFor && resumesAt && (
        <p role="status">
          <strong className="font-semibold">{reasonText(estimate)}</strong> Sending resumes{' '}
          <Timestamp at={resumesAt} inline />.
        </p>
      )}
      <p className="text-muted">
        {finishesAt ? (
          <>
            Finishes around <Timestamp at={finishesAt} inline />.{' '}
          </>
        ) : (
          'At this rate, sending takes more than a year. '
        )}
        {waitsFor !== 'retry' && waitsFor !== 'readerHours' && (
          <Link to="/admin/newsletter/settings" className="text-link inline-flex min-h-11 items-center sm:min-h-0">
            Change sending limits
          </Link>
        )}
      </p>
    </div>
  )
}

function reasonText({ waitsFor, limit, fullDomains }: MailingEstimate): string {
  switch (waitsFor) {
    case 'warmUp':
      return `Waiting for tomorrow: today’s warm-up limit of ${formatNumber(limit ?? 0)} emails has been reached.`
    case 'hour':
      return `Waiting: the limit of ${formatNumber(limit ?? 0)} emails per hour has been reached.`
    case 'domains':
      return `Waiting: the hourly limit for ${formatList(fullDomains)} has been reached.`
    case 'retry':
      return 'Waiting: mail servers asked us to retry the remaining emails later.'
    case 'readerHours':
      return 'Waiting for readers’ own hours.'
    case null:
      return ''
  }
}
