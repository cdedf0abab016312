import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useId } from 'react'
import { callQuery } from '#client/lib/calls.ts'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import { adminCohortsCall, type Cohort, type CohortReport } from '#shared/contracts/billing/admin-money.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { formatMonth, moneyIn } from './format-revenue.ts'

const percent = (part: number, of: number) => (of === 0 ? '–' : `${Math.round((part / of) * 100)}%`)

/** How long customers stay, by the month they started, and what they have paid. */
export function CohortSection({ currency: chosen }: { currency: string | null }) {
  const cohorts = useQuery(callQuery(['admin-cohorts', chosen], adminCohortsCall, { currency: chosen }))
  if (!cohorts.data) return <QueryPlaceholder query={cohorts} what="the retention figures" lines={8} height="h-11" />
  const { cohorts: shown, total, currency } = cohorts.data
  if (shown.length === 0) {
    return (
      <Section title="How long customers stay">
        <p className="text-muted">No payments yet. The first month appears with the first payment.</p>
      </Section>
    )
  }
  return (
    <>
      <Section title="What a customer is worth" lede="All customers since the first payment, net of refunds.">
        <LifetimeValue total={total} currency={currency} />
      </Section>
      <Section
        title="How long customers stay"
        lede="Each row is the customers who first paid in that month, and the share that still paid at the end of each following month."
      >
        <CohortTable cohorts={shown} currency={currency} />
      </Section>
    </>
  )
}

function LifetimeValue({ total, currency }: Pick<CohortReport, 'total' | 'currency'>) {
  const money = moneyIn(currency)
  const net = total.paidCents - total.refundedCents
  const figures = [
    { label: 'Paid so far', value: money(net), note: `${money(total.refundedCents)} refunded` },
    {
      label: 'Customers so far',
      value: formatNumber(total.customers),
      note: `${formatNumber(total.remaining)} pay now`,
    },
    {
      label: 'Lifetime value',
      value: total.customers > 0 ? money(Math.round(net / total.customers)) : '–',
      note: 'paid per customer so far',
    },
  ]
  return (
    <dl className="grid gap-x-6 gap-y-5 sm:grid-cols-3 sm:gap-x-0 sm:divide-x sm:divide-line">
      {figures.map(({ label, value, note }) => (
        <div key={label} className="sm:px-6 sm:first:pl-0">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="tabular-nums">
            <span className="display block text-3xl">{value}</span>
            <span className="block text-sm text-muted">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Months since a cohort's first: 0, 1, 2 … */
const offsets = (count: number) => Array.from({ length: count }, (_, offset) => offset)

/** Scrolls sideways on a phone, with a sticky first column. A cell's shade repeats its number. */
function CohortTable({ cohorts, currency }: { cohorts: readonly Cohort[]; currency: string }) {
  const captionId = useId()
  const money = moneyIn(currency)
  const months = Math.max(...cohorts.map(({ remaining }) => remaining.length))
  return (
    <ScrollBox labelledBy={captionId} className="overflow-x-auto scroll-edge">
      <table className={clsx('text-right text-sm whitespace-nowrap tabular-nums', months > 4 && 'w-full')}>
        <caption id={captionId} className="sr-only">
          Customers by the month of their first payment
        </caption>
        <thead>
          <tr className="border-b border-line-strong text-muted">
            <th scope="col" className="sticky left-0 z-1 bg-background py-2.5 pr-4 text-left font-medium">
              First paid
            </th>
            <th scope="col" className="py-2.5 pl-4 font-medium">
              Customers
            </th>
            <th scope="col" className="py-2.5 pr-3 pl-4 font-medium">
              Paid each
            </th>
            {offsets(months).map((offset) => (
              <th key={offset} scope="col" className="min-w-14 px-2 py-2.5 text-center font-medium">
                {offset === 0 ? 'End of month' : `+${offset}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {cohorts.map(({ month, started, remaining, paidCents, refundedCents }) => (
            <tr key={month}>
              <th scope="row" className="sticky left-0 z-1 bg-background py-2.5 pr-4 text-left font-medium">
                {formatMonth(month)}
              </th>
              <td className="py-2.5 pl-4">{formatNumber(started)}</td>
              <td className="py-2.5 pr-3 pl-4">
                {started > 0 ? money(Math.round((paidCents - refundedCents) / started)) : '–'}
              </td>
              {offsets(remaining.length).map((offset) => {
                const left = remaining[offset] ?? 0
                return (
                  <td
                    key={offset}
                    title={`${formatNumber(left)} of ${formatNumber(started)}`}
                    className="relative px-2 py-2.5 text-center"
                  >
                    <span
                      aria-hidden
                      className="absolute inset-x-0.5 inset-y-1 rounded-sm bg-primary"
                      style={{ opacity: started > 0 ? 0.04 + 0.2 * Math.min(1, left / started) : 0 }}
                    />
                    <span className="relative">{percent(left, started)}</span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
