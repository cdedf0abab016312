import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'
import { Disclosure } from '#client/ui/disclosure.tsx'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import type { Revenue, RevenueReport } from '#shared/contracts/billing/admin-billing.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { formatMonth, formatShare, moneyIn, planName } from './format-revenue.ts'

type Column = { name: string; of: (revenue: Revenue) => ReactNode }

const columnsOf = (money: (cents: number) => string) =>
  ({
    mrr: { name: 'MRR', of: ({ mrrCents }) => money(mrrCents) },
    customers: { name: 'Customers', of: ({ customers }) => formatNumber(customers) },
    fresh: { name: 'New', of: ({ new: { count } }) => formatNumber(count) },
    returned: { name: 'Returned', of: ({ returned: { count } }) => formatNumber(count) },
    moved: { name: 'Switched', of: ({ moved }) => formatNumber(moved) },
    lost: { name: 'Lost', of: ({ lost: { count } }) => formatNumber(count) },
    churn: { name: 'Churn', of: ({ churn }) => formatShare(churn) },
    more: { name: 'Expansion', of: ({ expansionCents }) => money(expansionCents) },
    less: { name: 'Contraction', of: ({ contractionCents }) => money(contractionCents) },
    failed: {
      name: 'Failed payments',
      of: ({ failed }) => (failed.count > 0 ? `${formatNumber(failed.count)} (${money(failed.cents)})` : '0'),
    },
    paid: { name: 'Paid', of: ({ paidCents }) => money(paidCents) },
    refunded: { name: 'Refunded since', of: ({ refundedCents }) => money(refundedCents) },
  }) satisfies Record<string, Column>

type Shown = RevenueReport['months'][number]

/** The chosen month by plan. */
export function RevenuePlans({ currency, shown }: { currency: string; shown: Shown }) {
  const { mrr, customers, fresh, returned, moved, lost, churn, failed } = columnsOf(moneyIn(currency))
  return (
    <Table
      title={`By plan, ${formatMonth(shown.month)}`}
      head="Plan"
      columns={[mrr, customers, fresh, returned, moved, lost, churn, failed]}
      rows={[
        ...shown.plans.map(({ plan, revenue }) => ({ name: planName(plan), revenue })),
        { name: 'All plans', revenue: shown.total, isSum: true },
      ]}
    />
  )
}

/** The chart's data as a table. */
export function RevenueMonths({ report: { months, currency } }: { report: RevenueReport }) {
  const { mrr, customers, fresh, returned, lost, churn, more, less, failed, paid, refunded } = columnsOf(
    moneyIn(currency),
  )
  return (
    <Disclosure summary="Month by month" className="mt-4">
      <Table
        title="Last 12 months, newest first"
        head="Month"
        columns={[mrr, customers, fresh, returned, lost, churn, more, less, failed, paid, refunded]}
        rows={months.toReversed().map(({ month, total }) => ({ name: formatMonth(month), revenue: total }))}
      />
      <p className="mt-3 measure text-sm text-muted">
        MRR is the monthly revenue from active plans, after recurring discounts. Yearly prices count one twelfth per
        month. Trials don’t count, and failed renewals count until the plan ends. Months are in UTC. Figures are rounded
        individually.
      </p>
    </Disclosure>
  )
}

type TableProps = {
  title: string
  head: string
  columns: readonly Column[]
  rows: readonly { name: string; revenue: Revenue; isSum?: boolean }[]
}

/** Scrolls sideways by touch and arrow keys on a phone, with a sticky first column. */
function Table({ title, head, columns, rows }: TableProps) {
  const captionId = useId()
  return (
    <ScrollBox labelledBy={captionId} className="mt-6 overflow-x-auto scroll-edge">
      <table className="w-full text-right text-sm whitespace-nowrap tabular-nums">
        <caption id={captionId} className="pb-2 text-left text-base font-semibold">
          {title}
        </caption>
        <thead>
          <tr className="border-b border-line-strong text-muted">
            <th scope="col" className="sticky left-0 bg-background py-2.5 pr-4 text-left font-medium">
              {head}
            </th>
            {columns.map(({ name }) => (
              <th key={name} scope="col" className="py-2.5 pl-5 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ name, revenue, isSum }) => (
            <tr key={name} className={clsx(isSum && 'font-semibold')}>
              <th scope="row" className="sticky left-0 bg-background py-2.5 pr-4 text-left font-medium">
                {name}
              </th>
              {columns.map((column) => (
                <td key={column.name} className="py-2.5 pl-5">
                  {column.of(revenue)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
