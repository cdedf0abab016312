import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Disclosure } from '#client/ui/disclosure.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { Section } from '#client/ui/section.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { EntitlementReport } from '#shared/contracts/billing/admin-billing.ts'
import { planOf } from '#shared/domain/plans.ts'
import { ComplimentaryAccessSection } from './complimentary-access-section.tsx'
import { entitlementQuery, useSyncCustomer } from './entitlement.api.ts'
import { OtherSubscriptions } from './other-subscriptions.tsx'

/** Whether and why this user has access, with the records that decide it. */
export function EntitlementSection({ userId }: { userId: string }) {
  const { data: report, isError, isFetching, refetch } = useQuery(entitlementQuery(userId))
  return (
    <>
      <Section title="Access to the portal" status={report && <Verdict report={report} />}>
        {report ? (
          <Report userId={userId} report={report} />
        ) : isError ? (
          <p role="alert">
            We couldn’t load this.{' '}
            <Button variant="secondary" size="sm" pending={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          </p>
        ) : (
          <SkeletonText lines={4} />
        )}
      </Section>
      {report && <ComplimentaryAccessSection userId={userId} access={report.complimentary} />}
      {report?.customerId && <OtherSubscriptions userId={userId} />}
    </>
  )
}

const by = { plan: 'Through a plan', team: 'Through a team', complimentary: 'Complimentary' } as const

const Verdict = ({ report: { entitled, by: how } }: { report: EntitlementReport }) =>
  entitled ? <Tag tone="primary">{how ? by[how] : 'Open'}</Tag> : <Tag>Closed</Tag>

function Report({ userId, report }: { userId: string; report: EntitlementReport }) {
  const { sentences, subscription, team, sameCard, events } = report
  const sync = useSyncCustomer(userId)
  return (
    <div className="grid gap-5">
      <ul className="grid max-w-[70ch] gap-1.5">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {(subscription || team) && (
        <PropertyList>
          {subscription && <SubscriptionFacts facts={subscription} customerId={report.customerId} />}
          {sameCard && (
            <Property name="Same card as">
              <Link to={`/admin/members/${sameCard.userId}`} className="text-link [overflow-wrap:anywhere]">
                {sameCard.email}
              </Link>
            </Property>
          )}
          {team && (
            <Property name="Team of">
              <span className="[overflow-wrap:anywhere]">{team.ownerEmail}</span>, {team.subscription.status}
            </Property>
          )}
        </PropertyList>
      )}
      {report.customerId && (
        <div>
          <Button variant="secondary" pending={sync.isPending} onClick={() => sync.mutate()}>
            Sync with Stripe
          </Button>
          <div role="status" className="mt-3 empty:hidden">
            {sync.data && <Changes changes={sync.data} />}
          </div>
        </div>
      )}
      {events.length > 0 && <Events events={events} />}
    </div>
  )
}

type SubscriptionReport = NonNullable<EntitlementReport['subscription']>

function SubscriptionFacts({ facts, customerId }: { facts: SubscriptionReport; customerId: string | null }) {
  const dates: [string, string | null][] = [
    ['Period until', facts.currentPeriodEnd],
    ['Canceled for', facts.cancelAt],
    ['Paused from', facts.pauseStartsAt],
    ['Paused until', facts.pauseEndsAt],
    ['Ended', facts.endedAt],
    ['Unpaid since', facts.unpaidSince],
    ['Entitled until', facts.entitledUntil],
    ['Test clock', facts.testClockTime],
    ['Last synced', facts.syncedAt],
  ]
  return (
    <>
      <Property name="Status at Stripe">{facts.status}</Property>
      <Property name="Plan">{facts.plan ? planOf(publication, facts.plan).name : (facts.productId ?? 'None')}</Property>
      {facts.price && <Property name="Price">{facts.price}</Property>}
      {dates.map(
        ([name, at]) =>
          at && (
            <Property key={name} name={name}>
              <Timestamp at={at} />
            </Property>
          ),
      )}
      <Property name="Trial">{facts.trialUsed ? 'Used' : 'Not used'}</Property>
      {[customerId, facts.subscriptionId].map(
        (id) =>
          id && (
            <Property key={id} name={id.startsWith('sub') ? 'Subscription' : 'Customer'}>
              <code className="font-mono text-sm [overflow-wrap:anywhere]">{id}</code>
            </Property>
          ),
      )}
    </>
  )
}

function Changes({ changes }: { changes: { field: string; before: string | null; after: string | null }[] }) {
  if (changes.length === 0) return <p>Our records match Stripe.</p>
  return (
    <>
      <p className="font-semibold">Our records were behind. Changed:</p>
      <ul className="mt-1 grid gap-1 tabular-nums">
        {changes.map(({ field, before, after }) => (
          <li key={field} className="[overflow-wrap:anywhere]">
            {field.replaceAll('_', ' ')}: {before ?? 'nothing'} → {after ?? 'nothing'}
          </li>
        ))}
      </ul>
    </>
  )
}

function Events({ events }: { events: EntitlementReport['events'] }) {
  return (
    <Disclosure summary={`Changes from Stripe (${events.length})`}>
      <ul aria-label="Events from Stripe" className="divide-y divide-line border-t border-line">
        {events.map(({ id, type, createdAt, processedAt, attempts, error }) => (
          <li key={id} className="grid gap-x-6 py-2.5 sm:grid-cols-[1fr_auto]">
            <span className="font-mono text-sm [overflow-wrap:anywhere]">{type}</span>
            <span className="text-sm text-muted tabular-nums">
              <Timestamp at={createdAt} />
            </span>
            <span className="text-sm text-muted sm:col-span-2">
              {processedAt ? (
                <>
                  Followed <Timestamp at={processedAt} inline />
                </>
              ) : (
                <Tag tone="danger">Not processed yet</Tag>
              )}
              {attempts > 0 && `, ${attempts} failed ${attempts === 1 ? 'try' : 'tries'}`}
              {error && `: ${error}`}
            </span>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
