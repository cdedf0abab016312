import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { CurrencyField } from '#client/features/billing/subscriptions/revenue/currency-field.tsx'
import {
  formatMonth,
  formatShare,
  moneyIn,
  monthsBetween,
  planName,
} from '#client/features/billing/subscriptions/revenue/format-revenue.ts'
import { revenueQuery } from '#client/features/billing/subscriptions/revenue/revenue.api.ts'
import { RevenueChart } from '#client/features/billing/subscriptions/revenue/revenue-chart.tsx'
import { publication } from '#client/lib/publication.ts'
import { FigureTable } from '#client/ui/figure-table.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { InlineLoadError, Skeleton } from '#client/ui/loading.tsx'
import { Disclosure, PageHeading } from '#client/ui/page-parts.tsx'
import type { Revenue, RevenueReport } from '#shared/contracts/billing/admin-billing.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'
import { mainCurrency } from '#shared/domain/plans.ts'

export function Component() {
  return (
    <>
      <PageHeading title="Money" />
      <RevenueSection />
    </>
  )
}

/** Revenue: the figures of one month, a chart and table of twelve months, and totals by plan. */
function RevenueSection() {
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

/** The five figures of a month. Their space is reserved while they load. */
function RevenueFigures({ currency, revenue }: { currency: string; revenue: Revenue | undefined }) {
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
function RevenuePlans({ currency, shown }: { currency: string; shown: Shown }) {
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
function RevenueMonths({ report: { months, currency } }: { report: RevenueReport }) {
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

const Table = ({ title, head, columns, rows }: TableProps) => (
  <FigureTable
    caption={title}
    className="mt-6"
    head={head}
    columns={columns.map(({ name }) => name)}
    rows={rows.map(({ name, revenue, isSum }) => ({
      id: name,
      name,
      isSum,
      figures: columns.map((column) => column.of(revenue)),
    }))}
  />
)
