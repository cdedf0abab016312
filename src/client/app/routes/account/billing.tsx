import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { OwnPurchases } from '#client/features/billing/purchases/purchases.tsx'
import { SoldItems } from '#client/features/billing/purchases/sold-items.tsx'
import { billingOverviewQuery } from '#client/features/billing/subscriptions/account-billing.api.ts'
import { useSubscription } from '#client/features/billing/subscriptions/billing.api.ts'
import { BillingPage } from '#client/features/billing/subscriptions/billing-page.tsx'
import { asPlanKey } from '#client/features/billing/subscriptions/checkout-path.ts'
import { MembershipSection } from '#client/features/billing/teams/membership-section.tsx'
import { teamQuery } from '#client/features/billing/teams/teams.api.ts'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { CopyableText } from '#client/ui/copyable-text.tsx'
import { LoadError, LoadingPlaceholder, SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { type OwnReferrals, ownReferralsCall } from '#shared/contracts/billing/referrals.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'

export function Component() {
  const { data, error, isFetching, refetch } = useQuery(billingOverviewQuery)
  const team = useQuery(teamQuery)
  const [search] = useSearchParams()
  const checked = useSubscription()
  const membership = team.data?.membership
  return (
    <>
      {data && !team.isPending ? (
        <>
          <BillingPage
            overview={data}
            teamMembers={team.isError ? null : (team.data?.owned?.members ?? []).map(({ email }) => email)}
            switchTo={asPlanKey(search.get('switch'))}
            membership={membership && <MembershipSection membership={membership} />}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
          <OwnPurchases bought={search.get('bought')} />
          {checked.status === 'known' && !checked.subscription.subscribed && <SoldItems />}
          <OwnReferralsSection />
        </>
      ) : error ? (
        <LoadError what="your plan" query={{ error, isFetching, refetch }} />
      ) : (
        <LoadingPlaceholder>
          <SkeletonText lines={8} height="h-11" />
        </LoadingPlaceholder>
      )}
    </>
  )
}

/** A member's link and free months. Nothing for members without either. */
function OwnReferralsSection() {
  const { data } = useQuery(alwaysStaleQuery(['own-referrals'], ownReferralsCall, {}))
  if (!data || (!data.link && data.credits.length === 0 && !data.own)) return null
  const { link, maxPerYear, rewarded, pending, credits, own } = data
  return (
    <Section title="Invitations">
      <div className="grid max-w-[60ch] gap-3">
        {own && <p>{ownText(own)}</p>}
        {link && (
          <>
            <p>
              Invite someone who isn’t a member yet. After their first payment, you both get a free month as credit, up
              to {maxPerYear} a year for you. It’s for people with their own address, card, and device.
            </p>
            <CopyableText text={link} what="Your invitation link" />
            <p className="text-muted">
              {rewarded} of {maxPerYear} free months this year
              {pending > 0 && ` · ${pending} accepted and not paid yet`}
            </p>
          </>
        )}
        {credits.length > 0 && (
          <ul aria-label="Free months" className="grid gap-1 text-sm text-muted">
            {credits.map(({ at, cents, currency, taken }) => (
              <li key={at}>
                {formatDay(at)}: {formatMoney(cents, currency)}
                {taken && ', taken back because the payment was refunded or disputed'}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  )
}

function ownText({ state, credit }: NonNullable<OwnReferrals['own']>): string {
  if (state === 'pending') return 'You accepted an invitation. Your free month follows your first payment.'
  if (state === 'rewarded' && credit) {
    return `You came by an invitation: ${formatMoney(credit.cents, credit.currency)} of credit pays for your next renewals.`
  }
  if (state === 'withdrawn')
    return 'Your free month was taken back, because your first payment was refunded or disputed.'
  return 'Your invitation didn’t count: it’s for new members with their own address, card, and device.'
}
