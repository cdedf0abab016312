import type { ReactNode } from 'react'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { Revenue } from '#shared/contracts/billing/admin-billing.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'
import { formatShare, moneyIn } from './format-revenue.ts'

/** The five figures of a month. Their space is reserved while they load. */
export function RevenueFigures({ currency, revenue }: { currency: string; revenue: Revenue | undefined }) {
  const money = moneyIn(currency)
  return (
    <dl className="mt-6 grid grid-cols-2 gap-x-8 gap-y-2 sm:gap-y-6 md:grid-cols-3 lg:grid-cols-5">
      <Figure name="Monthly recurring revenue" value={revenue && money(revenue.mrrCents)}>
        {revenue && formatCount(revenue.customers, 'paying customer')}
      </Figure>
      <Figure name="New" value={revenue && formatNumber(revenue.new.count)}>
        {revenue &&
          `${money(revenue.new.cents)} a month${revenue.returned.count > 0 ? `, ${formatNumber(revenue.returned.count)} more came back` : ''}`}
      </Figure>
      <Figure name="Lost" value={revenue && formatNumber(revenue.lost.count)}>
        {revenue && `${money(revenue.lost.cents)} a month`}
      </Figure>
      <Figure name="Churn" value={revenue && formatShare(revenue.churn)}>
        {revenue && `of ${formatNumber(revenue.customersAtStart)} at the start`}
      </Figure>
      <Figure name="Failed payments" value={revenue && formatNumber(revenue.failed.count)}>
        {revenue && outcome(revenue, money)}
      </Figure>
    </dl>
  )
}

function outcome({ failed, failedOpen, failedRecovered }: Revenue, money: (cents: number) => string): string {
  const of = [
    failedOpen.count > 0 && `${formatNumber(failedOpen.count)} open`,
    failedRecovered.count > 0 && `${formatNumber(failedRecovered.count)} recovered`,
  ].filter(Boolean)
  return [money(failed.cents), ...of].join(', ')
}

type FigureProps = { name: string; value: string | undefined; children: ReactNode }

function Figure({ name, value, children }: FigureProps) {
  return (
    <div className="flex flex-col">
      <dt className="text-sm font-semibold text-muted">{name}</dt>
      <dd className="mt-auto">
        <p className="display flex h-10 items-center text-2xl tabular-nums">
          {value ?? <Skeleton className="h-7 w-20" />}
        </p>
        <p className="min-h-12 text-sm text-muted tabular-nums">{children}</p>
      </dd>
    </div>
  )
}
