import { CohortSection } from '#client/features/billing/subscriptions/revenue/cohort-section.tsx'
import { RevenueByTradeSection } from '#client/features/billing/subscriptions/revenue/revenue-by-trade-section.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Retention" />
      <div className="mt-8">
        <CohortSection />
        <RevenueByTradeSection />
      </div>
    </>
  )
}
