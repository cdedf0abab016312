import type { Revenue, RevenueReport } from '#shared/contracts/admin-billing.ts'
import { planKeys } from '#shared/domain/plans.ts'
import type { Figure, TotalName } from './monthly-totals.ts'
import { changeKinds } from './revenue-changes.ts'

/** A year's worth in cents, and paying customers, of one plan. */
type Standing = { cents: number; count: number }
type Month = RevenueReport['months'][number]

/**
 * The report of consecutive months. Sums stay exact until a figure is shown: a year's worth becomes a month's by one
 * division, rounded half up, so the shown figures of a month may differ by a cent from its shown MRR.
 * @param months first days, oldest first
 * @param before what stood when the first of them began
 */
export function revenueReport(
  months: readonly string[],
  before: readonly (Standing & { plan: string })[],
  figures: readonly Figure[],
): Month[] {
  const standing = new Map(before.map(({ plan, cents, count }) => [plan, { cents, count }]))
  return months.map((month) => {
    const ofMonth = figures.filter((figure) => figure.month === month)
    const atStart = planKeys.map((plan) => standing.get(plan) ?? nothing)
    const own = planKeys.map((plan) => ofMonth.filter((figure) => figure.plan === plan))
    const parts = planKeys.map((plan, index) => ({
      plan,
      revenue: revenueOf(atStart[index] ?? nothing, own[index] ?? []),
    }))
    const total = revenueOf(sum(atStart), own.flat())
    planKeys.forEach((plan, index) => {
      standing.set(plan, sum([atStart[index] ?? nothing, ...(own[index] ?? []).filter(isChange)]))
    })
    return { month: month.slice(0, 7), total, plans: parts }
  })
}

const nothing: Standing = { cents: 0, count: 0 }

const sum = (all: readonly Standing[]): Standing =>
  all.reduce((one, other) => ({ cents: one.cents + other.cents, count: one.count + other.count }), nothing)

const isChange = ({ name }: Figure): boolean => changeKinds.some((kind) => kind === name)

const aMonth = (yearlyCents: number): number => Math.round(yearlyCents / 12)

function revenueOf(atStart: Standing, figures: readonly Figure[]): Revenue {
  const of = (...names: TotalName[]) => sum(figures.filter(({ name }) => names.some((one) => one === name)))
  const movement = (name: TotalName) => ({ count: of(name).count, cents: aMonth(of(name).cents) })
  const atEnd = sum([atStart, ...figures.filter(isChange)])
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
