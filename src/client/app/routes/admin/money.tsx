import { RevenueSection } from '#client/features/billing/subscriptions/revenue/revenue-section.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  return (
    <>
      <PageHeading title="Money" />
      <RevenueSection />
    </>
  )
}
