import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CohortSection } from '#client/features/billing/subscriptions/revenue/cohort-section.tsx'
import { CurrencyField } from '#client/features/billing/subscriptions/revenue/currency-field.tsx'
import { revenueQuery } from '#client/features/billing/subscriptions/revenue/revenue.api.ts'
import { RevenueByTradeSection } from '#client/features/billing/subscriptions/revenue/revenue-by-trade-section.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'

export function Component() {
  const [currency, setCurrency] = useState<string | null>(null)
  const { data } = useQuery(revenueQuery(null))
  return (
    <>
      <PageHeading title="Retention" />
      <div className="mt-8">
        <CurrencyField currencies={data?.currencies} currency={currency ?? data?.currency} onChoose={setCurrency} />
        <CohortSection currency={currency} />
        <RevenueByTradeSection currency={currency} />
      </div>
    </>
  )
}
