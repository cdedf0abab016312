import type { Revenue, RevenueReport } from '#shared/contracts/billing/admin-billing.ts'
import type { MonthlyTotal, TotalName } from './monthly-totals.ts'
import { changeKinds } from './revenue-changes.ts'

/** Yearly amount in cents and number of paying customers. */
type RevenueSum = { cents: number; count: number }
type Month = RevenueReport['months'][number]

/**
 * Builds the report for consecutive months. Yearly amounts are summed exactly and divided by 12 once, so rounded totals
 * can differ from the rounded MRR by a cent.
 * @param onSale keys of the plans on sale
 * @param months first days, oldest first
 * @param before totals at the start of the first month
 */
export function revenueReport(
  onSale: readonly string[],
  months: readonly string[],
  before: readonly (RevenueSum & { plan: string })[],
  totals: readonly MonthlyTotal[],
): Month[] {
  // Retired plans with figures are shown too.
  const planKeys = [...new Set([...onSale, ...[...before, ...totals].map(({ plan }) => plan)])]
  const running = new Map(before.map(({ plan, cents, count }) => [plan, { cents, count }]))
  return months.map((month) => {
    const inMonth = totals.filter((monthlyTotal) => monthlyTotal.month === month)
    const atStart = planKeys.map((plan) => running.get(plan) ?? nothing)
    const own = planKeys.map((plan) => inMonth.filter((monthlyTotal) => monthlyTotal.plan === plan))
    const parts = planKeys.map((plan, index) => ({
      plan,
      revenue: revenueOf(atStart[index] ?? nothing, own[index] ?? []),
    }))
    const total = revenueOf(sum(atStart), own.flat())
    planKeys.forEach((plan, index) => {
      running.set(plan, sum([atStart[index] ?? nothing, ...(own[index] ?? []).filter(isChange)]))
    })
    return { month: month.slice(0, 7), total, plans: parts }
  })
}

const nothing: RevenueSum = { cents: 0, count: 0 }

const sum = (all: readonly RevenueSum[]): RevenueSum =>
  all.reduce((one, other) => ({ cents: one.cents + other.cents, count: one.count + other.count }), nothing)

const isChange = ({ name }: MonthlyTotal): boolean => changeKinds.some((kind) => kind === name)

const aMonth = (yearlyCents: number): number => Math.round(yearlyCents / 12)

function revenueOf(atStart: RevenueSum, totals: readonly MonthlyTotal[]): Revenue {
  const of = (...names: TotalName[]) => sum(totals.filter(({ name }) => names.some((one) => one === name)))
  const movement = (name: TotalName) => ({ count: of(name).count, cents: aMonth(of(name).cents) })
  const atEnd = sum([atStart, ...totals.filter(isChange)])
  const lost = of('lost')
  return {
    mrrCents: aMonth(atEnd.cents),
    customersAtStart: atStart.count,
    customers: atEnd.count,
    new: movement('new'),
    returned: movement('returned'),
    lost: { count: -lost.count + 0, cents: aMonth(-lost.cents) + 0 },
    expansionCents: aMonth(of('expansion').cents),
    contractionCents: aMonth(-of('contraction').cents) + 0,
    moved: of('expansion', 'contraction').count,
    churn: atStart.count > 0 ? -lost.count / atStart.count + 0 : null,
    failed: of('failed_open', 'failed_recovered', 'failed_lost'),
    failedOpen: of('failed_open'),
    failedRecovered: of('failed_recovered'),
    failedLost: of('failed_lost'),
    paidCents: of('paid').cents,
    refundedCents: of('refunded').cents,
  }
}
