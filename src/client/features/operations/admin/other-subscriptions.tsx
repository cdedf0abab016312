import { useQuery } from '@tanstack/react-query'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Section } from '#client/ui/section.tsx'
import { Tag } from '#client/ui/tag.tsx'
import {
  adminOtherSubscriptionsCall,
  type OtherSubscriptions as Other,
} from '#shared/contracts/billing/admin-billing.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { formatMoney } from '#shared/domain/format-money.ts'
import { planOf } from '#shared/domain/plans.ts'

const otherSubscriptionsQuery = (userId: string) =>
  alwaysStaleQuery(['admin-other-subscriptions', userId], adminOtherSubscriptionsCall, { userId })

/** Other products that this person subscribes to at Stripe, and duplicate plans. Renders nothing if there are none. */
export function OtherSubscriptions({ userId }: { userId: string }) {
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
              {formatMoney(amountCents, currency)} per {interval}, since {formatDay(createdAt)}
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
