import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { OwnReferralsSection } from '#client/features/billing/referrals/own-referrals.tsx'
import { billingOverviewQuery } from '#client/features/billing/subscriptions/account-billing.api.ts'
import { BillingPage } from '#client/features/billing/subscriptions/billing-page.tsx'
import { asPlanKey } from '#client/features/billing/subscriptions/checkout-path.ts'
import { MembershipSection } from '#client/features/billing/teams/membership-section.tsx'
import { teamQuery } from '#client/features/billing/teams/teams.api.ts'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'

export function Component() {
  const { data, error, isFetching, refetch } = useQuery(billingOverviewQuery)
  const team = useQuery(teamQuery)
  const [search] = useSearchParams()
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
