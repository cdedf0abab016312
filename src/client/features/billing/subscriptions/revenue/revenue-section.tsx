import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { publication } from '#client/lib/publication.ts'
import { inputStyles } from '#client/ui/input-styles.ts'
import { InlineLoadError } from '#client/ui/load-error.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { RevenueReport } from '#shared/contracts/billing/admin-billing.ts'
import { mainCurrency } from '#shared/domain/plans.ts'
import { CurrencyField } from './currency-field.tsx'
import { formatMonth, monthsBetween } from './format-revenue.ts'
import { revenueQuery } from './revenue.api.ts'
import { RevenueChart } from './revenue-chart.tsx'
import { RevenueFigures } from './revenue-figures.tsx'
import { RevenueMonths, RevenuePlans } from './revenue-tables.tsx'

/** Revenue: the figures of one month, a chart and table of twelve months, and totals by plan. */
export function RevenueSection() {
  const [chosen, setChosen] = useState<string | null>(null)
  const [currency, setCurrency] = useState<string | null>(null)
  const newest = useQuery(revenueQuery(null, currency))
  // Earlier months are loaded when they are chosen.
  const isShown = chosen === null || (newest.data?.months ?? []).some(({ month }) => month === chosen)
  const { data, isError, isFetching, refetch } = useQuery(revenueQuery(isShown ? null : chosen, currency))
  const month = chosen ?? newest.data?.newest
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="mt-12">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3 border-b-2 border-ink pb-3">
        <h2 id={titleId} className="display text-2xl">
          Revenue
        </h2>
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          <CurrencyField
            currencies={newest.data?.currencies}
            currency={currency ?? newest.data?.currency}
            onChoose={setCurrency}
          />
          <MonthField report={newest.data} month={month} onChoose={setChosen} />
        </div>
      </div>
      {isError && !data ? (
        <div className="mt-6">
          <InlineLoadError retrying={isFetching} onRetry={refetch}>
            We couldn’t load the figures.
          </InlineLoadError>
        </div>
      ) : (
        <Report report={data} month={month} />
      )}
    </section>
  )
}

type MonthFieldProps = {
  report: RevenueReport | undefined
  month: string | undefined
  onChoose: (month: string) => void
}

function MonthField({ report, month, onChoose }: MonthFieldProps) {
  const id = useId()
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <label htmlFor={id} className="text-sm font-semibold">
        Month
      </label>
      <select
        id={id}
        className={`${inputStyles} min-w-36 max-w-full`}
        disabled={!report}
        value={month ?? ''}
        onChange={(event) => onChoose(event.target.value)}
      >
        {report ? (
          monthsBetween(report.oldest, report.newest).map((one) => (
            <option key={one} value={one}>
              {formatMonth(one)}
              {/* Months that only exist on test clocks. */}
              {one > report.thisMonth && ' (test clock)'}
            </option>
          ))
        ) : (
          <option value="">…</option>
        )}
      </select>
    </div>
  )
}

function Report({ report, month }: { report: RevenueReport | undefined; month: string | undefined }) {
  const shown = report?.months.find((one) => one.month === month) ?? report?.months.at(-1)
  return (
    <>
      <RevenueFigures currency={report?.currency ?? mainCurrency(publication)} revenue={shown?.total} />
      {!report || !shown ? (
        <Skeleton className="mt-6 h-88" />
      ) : report.oldest === null ? (
        <p className="mt-6 flex h-88 items-center justify-center border-y border-line text-center text-muted">
          No subscriptions yet. Revenue starts with the first payment.
        </p>
      ) : (
        <RevenueChart report={report} month={shown.month} />
      )}
      {!report && <Skeleton className="mt-6 h-80" />}
      {report && shown && report.oldest !== null && (
        <div className="min-h-86">
          <RevenuePlans currency={report.currency} shown={shown} />
          <RevenueMonths report={report} />
        </div>
      )}
    </>
  )
}
