import { CancellationList } from '#client/features/billing/subscriptions/revenue/cancellation-list.tsx'
import { RetentionOffers } from '#client/features/billing/subscriptions/revenue/retention-offers.tsx'
import { WithdrawalList } from '#client/features/billing/subscriptions/revenue/withdrawal-list.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Cancellations" />
      <div className="mt-8">
        <CancellationList />
        <WithdrawalList />
        <RetentionOffers />
      </div>
    </>
  )
}
