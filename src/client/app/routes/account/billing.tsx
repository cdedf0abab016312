import { useQuery } from '@tanstack/react-query'
import { billingOverviewQuery } from '#client/features/billing/account-billing.api.ts'
import { BillingPage } from '#client/features/billing/billing-page.tsx'
import { MembershipSection } from '#client/features/teams/membership-section.tsx'
import { teamQuery } from '#client/features/teams/teams.api.ts'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { LoadError } from '../portal/load-error.tsx'

export function Component() {
  const { data, error, isFetching, refetch } = useQuery(billingOverviewQuery)
  const team = useQuery(teamQuery)
  const membership = team.data?.membership
  return (
    <>
      <h2 className="sr-only">Billing</h2>
      {data && !team.isPending ? (
        <BillingPage
          overview={data}
          membership={membership && <MembershipSection membership={membership} />}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : error ? (
        <LoadError error={error} what="your plan" onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <LoadingPlaceholder>
          <SkeletonText lines={8} height="h-11" />
        </LoadingPlaceholder>
      )}
    </>
  )
}
