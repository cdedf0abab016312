import { CircleCheck } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import { ProblemNote, ProblemTitle } from '#client/features/operations/status/problem-text.tsx'
import { ownWords } from '#client/lib/publication.ts'
import { CanOpenPage, PageLink } from '#client/ui/page-link.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { type AdminOverview, maxOverviewCount } from '#shared/contracts/operations/admin-overview.ts'
import type { Problem } from '#shared/contracts/operations/admin-status.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { type AlertText, pauseTexts, sendFailureTexts } from '#shared/domain/mailing-alerts.ts'
import { OverviewSection } from './overview-section.tsx'

type AttentionListProps = Pick<AdminOverview, 'stuckMembers' | 'stuckMailings' | 'problems'>

/** Problems that the lines about mailings and members tell in more detail. */
const detailed: readonly Problem['kind'][] = ['mailings', 'documents', 'stripe-events']

type Line = { key: string; text: ReactNode; note?: ReactNode }

/** Who and what is stuck. Each line links to the page that settles it. */
export function AttentionList({ stuckMembers, stuckMailings, problems }: AttentionListProps) {
  const canOpen = useContext(CanOpenPage)
  const isListedBelow = (kind: Problem['kind']) =>
    kind === 'stripe-events' ? stuckMembers !== null : detailed.includes(kind) && stuckMailings !== null
  const lines: Line[] = [
    ...(problems ?? []).filter(({ kind }) => !isListedBelow(kind)).map(problemLine),
    ...(stuckMailings ? mailingLines(stuckMailings) : []),
    ...(stuckMembers ? memberLines(stuckMembers) : []),
  ]
  return (
    <OverviewSection
      title="Needs attention"
      aside={
        canOpen('/admin/settings/status') && (
          <PageLink
            to="/admin/settings/status"
            className="inline-flex min-h-11 items-center text-sm font-semibold max-sm:-my-2.5 sm:min-h-0"
          >
            Status
          </PageLink>
        )
      }
    >
      {lines.length === 0 ? (
        <p className="flex gap-2 py-4 text-muted">
          <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-success" strokeWidth={1.75} />
          {nothingText(stuckMembers !== null, stuckMailings !== null)}
        </p>
      ) : (
        <ul aria-label="Needs attention">
          {lines.map(({ key, text, note }) => (
            <li key={key} className="border-b border-line py-3 leading-6 [overflow-wrap:anywhere]">
              <p>{text}</p>
              {note && <p className="text-sm leading-6 text-muted">{note}</p>}
            </li>
          ))}
        </ul>
      )}
    </OverviewSection>
  )
}

const nothingText = (members: boolean, mailings: boolean) =>
  members && mailings
    ? ownWords`Nothing is stuck: payments, mailings and drops are fine.`
    : members
      ? 'No member is stuck: payments and addresses are fine.'
      : ownWords`Nothing is stuck: mailings and drops are fine.`

/** "1 member", "2,310 members", "1,000+ members". */
const counted = (count: number, one: string, many: string) =>
  `${formatNumber(count)}${count >= maxOverviewCount ? '+' : ''} ${count === 1 ? one : many}`

function mailingLines({ mailings, documents, unknownDeliveries }: NonNullable<AdminOverview['stuckMailings']>): Line[] {
  return [
    ...mailings.map(({ id, subject, at, sendFailure, pauseReason }) => {
      const why = sendFailure ? sendFailureTexts[sendFailure.reason] : pauseTextOf(pauseReason)
      return {
        key: `mailing ${id}`,
        text: (
          <>
            <PageLink to={`/admin/newsletter/${id}`} className="font-semibold">
              {subject}
            </PageLink>{' '}
            {sendFailure ? 'wasn’t sent' : 'paused automatically'} (
            <Timestamp at={sendFailure?.scheduledAt ?? at} inline />
            ).
          </>
        ),
        note: why && `${why.why} ${why.remedy}`,
      }
    }),
    ...documents.map(({ kind, id, title, failure }) => ({
      key: `${kind} ${id}`,
      text: (
        <>
          <PageLink to={`/admin/content/${contentPaths[kind]}/${id}`} className="font-semibold">
            {title}
          </PageLink>{' '}
          wasn’t published as scheduled (
          <Timestamp at={failure.scheduledAt} inline />
          ).
        </>
      ),
      note: failure.problems[0]?.message,
    })),
    ...unknownDeliveries.map(({ mailingId, subject, count }) => ({
      key: `unknown ${mailingId}`,
      text: (
        <PageLink to={`/admin/newsletter/${mailingId}/deliveries?status=unknown`} className="font-semibold">
          {counted(count, 'delivery', 'deliveries')} may not have arrived
        </PageLink>
      ),
      note: (
        <>
          Of “<PageLink to={`/admin/newsletter/${mailingId}`}>{subject}</PageLink>”. Send them again, or leave them.
        </>
      ),
    })),
  ]
}

const pauseTextOf = (reason: string | null): AlertText | undefined =>
  Object.entries<AlertText>(pauseTexts).find(([known]) => known === reason)?.[1]

const problemLine = (problem: Problem): Line => ({
  key: `problem ${problem.kind}`,
  text: <ProblemTitle problem={problem} />,
  note: <ProblemNote problem={problem} />,
})

type StuckMembers = NonNullable<AdminOverview['stuckMembers']>

function memberLines({ failedPayments, duplicates, stripeEvents, imported, suppressed }: StuckMembers): Line[] {
  const settled = duplicates.filter(({ outcome }) => outcome === 'canceled')
  const left = duplicates.filter(({ outcome }) => outcome === 'left_active')
  return [
    ...(failedPayments.count > 0
      ? [
          {
            key: 'payments',
            text: (
              <PageLink to="/admin/members?account=payment_failed" className="font-semibold">
                {counted(failedPayments.count, 'member has', 'members have')} a failed payment
              </PageLink>
            ),
            note: <Members members={failedPayments.newest} count={failedPayments.count} />,
          },
        ]
      : []),
    ...left.map(({ id, userId, email }) => ({
      key: id,
      text: (
        <>
          <MemberLink userId={userId} email={email} /> pays for two plans.
        </>
      ),
      note: 'The second one also bills products that aren’t yours, so it was left active. Decide in Stripe.',
    })),
    ...settled.map(({ id, userId, email, detectedAt }) => ({
      key: id,
      text: (
        <>
          <MemberLink userId={userId} email={email} /> had paid for two plans.
        </>
      ),
      note: (
        <>
          The second one was canceled and refunded (<Timestamp at={detectedAt} inline />
          ). Nothing to do.
        </>
      ),
    })),
    ...(stripeEvents.count > 0
      ? [
          {
            key: 'stripe',
            text: `${counted(stripeEvents.count, 'event', 'events')} from Stripe couldn’t be processed.`,
            note: (
              <>
                Our records may differ from Stripe’s until the next try, within the hour.{' '}
                <Members members={stripeEvents.newest} count={stripeEvents.count} />
              </>
            ),
          },
        ]
      : []),
    ...(imported.paying > 0
      ? [
          {
            key: 'imported',
            text: (
              <PageLink to="/admin/settings/import" className="font-semibold">
                {counted(imported.paying, 'member', 'members')} paid elsewhere: link Stripe next
              </PageLink>
            ),
            note: 'They paid at your last service. List the subscriptions at Stripe and adopt them, so that these members keep what they pay for.',
          },
        ]
      : []),
    ...(suppressed.bounced > 0
      ? [
          {
            key: 'bounced',
            text: (
              <PageLink to="/admin/newsletter/deliverability?reason=bounced&days=7" className="font-semibold">
                {counted(suppressed.bounced, 'address', 'addresses')} bounced this week
              </PageLink>
            ),
            note: ownWords`Drops don’t go there until the member confirms the address or you remove the suppression.`,
          },
        ]
      : []),
    ...(suppressed.complained > 0
      ? [
          {
            key: 'complained',
            text: (
              <PageLink to="/admin/newsletter/deliverability?reason=complaint&days=7" className="font-semibold">
                {counted(suppressed.complained, 'reader', 'readers')} reported spam this week
              </PageLink>
            ),
          },
        ]
      : []),
  ]
}

const contentPaths = { issue: 'drops', 'prompt-pack': 'prompt-packs', guide: 'guides', tool: 'tools' } as const

const MemberLink = ({ userId, email }: { userId: string; email: string }) => (
  <PageLink to={`/admin/members/${userId}`} className="font-semibold">
    {email || 'No address'}
  </PageLink>
)

/** The newest of them, as links. */
function Members({ members, count }: { members: StuckMembers['failedPayments']['newest']; count: number }) {
  if (members.length === 0) return null
  return (
    <>
      {count > members.length ? 'Newest: ' : ''}
      {members.map(({ userId, email }, index) => (
        <span key={userId}>
          {index > 0 && ', '}
          <PageLink to={`/admin/members/${userId}`}>{email || 'No address'}</PageLink>
        </span>
      ))}
    </>
  )
}
