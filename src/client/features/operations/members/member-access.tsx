import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Disclosure, Panel, Section } from '#client/ui/page-parts.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminGrantAccessCall,
  adminOtherSubscriptionsCall,
  adminRevokeAccessCall,
  adminSyncCustomerCall,
  type EntitlementReport,
  type OtherSubscriptions as Other,
} from '#shared/contracts/billing/admin-billing.ts'
import { perPeriod } from '#shared/domain/billing-interval.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'
import { planOf } from '#shared/domain/plans.ts'
import { entitlementQuery } from './member.api.ts'

/** Whether and why this user has access, with the records that decide it. */
export function MemberAccess({ userId }: { userId: string }) {
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
      {report && <ComplimentaryAccess userId={userId} access={report.complimentary} />}
      {report?.customerId && <OtherSubscriptions userId={userId} />}
    </>
  )
}

const by = { plan: 'Through a plan', team: 'Through a team', complimentary: 'Complimentary' } as const

const Verdict = ({ report: { entitled, by: how } }: { report: EntitlementReport }) =>
  entitled ? <Tag tone="primary">{how ? by[how] : 'Open'}</Tag> : <Tag>Closed</Tag>

function Report({ userId, report }: { userId: string; report: EntitlementReport }) {
  const { sentences, subscription, team, sameCard, events } = report
  const sync = useChange(adminSyncCustomerCall, { failure: 'We couldn’t sync with Stripe' })
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
          <Button variant="secondary" pending={sync.isPending} onClick={() => sync.mutate({ userId })}>
            Sync with Stripe
          </Button>
          <div role="status" className="mt-3 empty:hidden">
            {sync.data && <Changes {...sync.data} />}
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

function Changes({ changes }: z.output<typeof adminSyncCustomerCall.output>) {
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

type ComplimentaryAccessProps = { userId: string; access: EntitlementReport['complimentary'] }

/** Opens the portal to a user without a plan, such as a journalist or a partner. */
function ComplimentaryAccess({ userId, access }: ComplimentaryAccessProps) {
  const [isOpen, setIsOpen] = useState(false)
  const revoke = useChange(adminRevokeAccessCall, { done: 'Access revoked', failure: 'We couldn’t revoke access' })
  const hasEnded = access !== null && new Date(access.until) <= new Date()
  return (
    <Section
      title="Complimentary access"
      lede="Gives full access until a date you choose, at no charge. We email the user."
    >
      <div className="grid gap-5">
        {access && (
          <p className="max-w-[60ch]">
            {hasEnded ? 'Ended on' : 'Until'} <time dateTime={access.until}>{formatDay(access.until)}</time>, granted by{' '}
            <span className="[overflow-wrap:anywhere]">{access.grantedBy}</span> on {formatDay(access.grantedAt)}.
            {access.note && ` ${access.note}`}
          </p>
        )}
        {isOpen ? (
          <GrantForm userId={userId} onClose={() => setIsOpen(false)} />
        ) : (
          <div className="flex flex-wrap gap-3">
            <Button variant="secondary" onClick={() => setIsOpen(true)}>
              {access ? 'Change date' : 'Grant access'}
            </Button>
            {access && (
              <ConfirmButton
                label="Revoke access"
                variant="quiet"
                pending={revoke.isPending}
                title="Revoke complimentary access?"
                action="Revoke access"
                onConfirm={() => revoke.mutate({ userId })}
              >
                The user loses access to the portal immediately, unless they have a plan.
              </ConfirmButton>
            )}
          </div>
        )}
      </div>
    </Section>
  )
}

function GrantForm({ userId, onClose }: { userId: string; onClose: () => void }) {
  const grant = useChange(adminGrantAccessCall, { done: 'Access granted' })
  const handleSubmit = submitHandler(grant, (text, form) => {
    // Includes the whole last day.
    const until = new Date(`${form.get('until')}T23:59:59Z`)
    if (Number.isNaN(until.getTime())) return
    const note = text('note') || null
    grant.mutate({ userId, until: until.toISOString(), note }, { onSuccess: onClose })
  })
  return (
    <Panel label="Grant access">
      <form onSubmit={handleSubmit} className="grid max-w-md gap-5">
        <TextField
          label="Last day"
          name="until"
          type="date"
          required
          min={new Date().toISOString().slice(0, 10)}
          autoFocus
        />
        <TextField label="Reason" name="note" hint="Optional. For you and other admins." maxLength={300} />
        <FormActions action="Grant access" change={grant} onCancel={onClose} />
      </form>
    </Panel>
  )
}

const otherSubscriptionsQuery = (userId: string) =>
  alwaysStaleQuery(['admin-other-subscriptions', userId], adminOtherSubscriptionsCall, { userId })

/** Other products that this person subscribes to at Stripe, and duplicate plans. Renders nothing if there are none. */
function OtherSubscriptions({ userId }: { userId: string }) {
  const { data, isError, isFetching, refetch } = useQuery(otherSubscriptionsQuery(userId))
  if (data?.subscriptions?.length === 0 && data.duplicates.length === 0) return null
  if (!data && !isError) return null
  return (
    <Section
      title="Other subscriptions"
      lede={`Products in your Stripe account that aren’t ${publication.name} plans. We show them here and never change, cancel, or refund them.`}
    >
      <div className="grid gap-5">
        {data?.subscriptions ? (
          <Subscriptions all={data.subscriptions} />
        ) : (
          <p role="alert">
            Stripe didn’t respond.{' '}
            <Button variant="secondary" size="sm" pending={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          </p>
        )}
        {data && data.duplicates.length > 0 && <Duplicates all={data.duplicates} />}
      </div>
    </Section>
  )
}

function Subscriptions({ all }: { all: NonNullable<Other['subscriptions']> }) {
  if (all.length === 0) return <p>None.</p>
  return (
    <ul aria-label="Other subscriptions" className="divide-y divide-line border-t border-line">
      {all.map(({ id, name, status, amountCents, currency, interval, createdAt, endedAt, withPlan, url }) => (
        <li key={id} className="grid items-center gap-x-6 py-3 sm:grid-cols-[1fr_auto]">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-semibold [overflow-wrap:anywhere]">{name}</span>
              <Tag tone={status === 'active' || status === 'trialing' ? 'primary' : undefined}>{words(status)}</Tag>
            </p>
            <p className="text-sm text-muted tabular-nums">
              {formatMoney(amountCents, currency)} {perPeriod({ interval })}, since {formatDay(createdAt)}
              {endedAt && `, ended ${formatDay(endedAt)}`}
              {withPlan && `. Billed together with their ${publication.name} plan`}
            </p>
          </div>
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            aria-label={`View in Stripe: ${name}`}
            className="text-link inline-flex min-h-11 items-center"
          >
            View in Stripe
          </a>
        </li>
      ))}
    </ul>
  )
}

const words = (status: string) => status.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())

function Duplicates({ all }: { all: Other['duplicates'] }) {
  return (
    <ul aria-label="Duplicate plans" className="grid max-w-[70ch] gap-2">
      {all.map(({ subscriptionId, plan, outcome, refundedCents, currency, detectedAt }) => (
        <li key={subscriptionId}>
          {formatDay(detectedAt)}: a second plan{plan && ` (${planOf(publication, plan).name})`}{' '}
          {outcome === 'canceled'
            ? `was canceled, and ${refundedCents > 0 ? `${formatMoney(refundedCents, currency)} was refunded` : 'nothing had been charged for it'}.`
            : 'also bills other products, so it was left running. Decide in Stripe what to cancel.'}{' '}
          <code className="font-mono text-sm [overflow-wrap:anywhere]">{subscriptionId}</code>
        </li>
      ))}
    </ul>
  )
}
