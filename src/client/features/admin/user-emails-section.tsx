import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { Disclosure } from '#client/ui/disclosure.tsx'
import { Section } from '#client/ui/section.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { UserSupport } from '#shared/contracts/admin-support.ts'
import { deliveryCauses } from '#shared/contracts/newsletter.ts'

/** Recent emails to this person with their outcomes. Subjects only, never the texts. */
export function UserEmailsSection({ support: { accountEmails, newsletterEmails } }: { support: UserSupport }) {
  return (
    <Section title="Email history" lede="Most recent first. We keep account emails for 90 days.">
      <div className="grid gap-8 lg:grid-cols-2 lg:gap-12">
        <EmailList
          title="Account and billing"
          rows={accountEmails.map(({ id, subject, status, error, at }) => ({
            key: id,
            subject,
            at,
            outcome: accountOutcomes[status],
            isProblem: status === 'failed' || status === 'skipped',
            detail: error,
          }))}
        />
        <EmailList
          title="Newsletter"
          rows={newsletterEmails.map((email) => ({
            key: email.mailingId,
            subject: (
              <Link to={`/admin/newsletter/${email.mailingId}`} className="text-link">
                {email.subject}
              </Link>
            ),
            at: email.at,
            outcome: newsletterOutcome(email),
            isProblem: ['failed', 'suppressed', 'unknown'].includes(email.status) || email.bounce !== null,
            detail: email.cause && deliveryCauses[email.cause],
          }))}
        />
      </div>
    </Section>
  )
}

const accountOutcomes = {
  queued: 'Waiting to be sent',
  sent: 'Sent',
  skipped: 'Not sent',
  failed: 'Failed, trying again',
} as const

const deliveryOutcomes = {
  pending: 'Waiting',
  sending: 'Sending',
  submitted: 'Sent',
  failed: 'Failed',
  suppressed: 'Not sent',
  stopped: 'Stopped',
  unknown: 'Unknown',
} as const

function newsletterOutcome({ status, bounce, complained }: UserSupport['newsletterEmails'][number]): string {
  if (complained) return 'Reported as spam'
  if (bounce) return bounce === 'hard' ? 'Bounced: the address doesn’t exist' : 'Bounced temporarily'
  return deliveryOutcomes[status]
}

type Row = {
  key: string
  subject: ReactNode
  at: string | null
  outcome: string
  isProblem: boolean
  detail: string | null
}

const initialRows = 5

function EmailList({ title, rows }: { title: string; rows: readonly Row[] }) {
  const titleId = useId()
  const older = rows.slice(initialRows)
  return (
    <div className="min-w-0">
      <h4 id={titleId} className="mb-2 font-semibold">
        {title}
      </h4>
      {rows.length === 0 && <p className="border-y border-line py-4 text-muted">Nothing yet.</p>}
      {rows.length > 0 && <Rows labelledBy={titleId} rows={rows.slice(0, initialRows)} />}
      {older.length > 0 && (
        <Disclosure summary={`Show ${older.length} older`}>
          <Rows labelledBy={titleId} rows={older} />
        </Disclosure>
      )}
    </div>
  )
}

const Rows = ({ labelledBy, rows }: { labelledBy: string; rows: readonly Row[] }) => (
  <ul aria-labelledby={labelledBy} className="divide-y divide-line border-y border-line text-sm">
    {rows.map(({ key, subject, at, outcome, isProblem, detail }) => (
      <li key={key} className="py-2.5 [overflow-wrap:anywhere]">
        <p>{subject}</p>
        <p className="text-muted tabular-nums">
          <span className={isProblem ? 'font-medium text-danger' : undefined}>{outcome}</span>
          {at && (
            <>
              , <Timestamp inline at={at} />
            </>
          )}
          {detail && <span className="block">{detail}</span>}
        </p>
      </li>
    ))}
  </ul>
)
