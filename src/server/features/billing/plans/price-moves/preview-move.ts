import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import type { PlanRow } from '#server/features/billing/subscriptions/plan-store.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import type { ReasonToStay } from '#shared/contracts/billing/price-moves.ts'
import { AppError } from '#shared/errors.ts'
import { type Concerned, type Planned, planMove, type Target } from './concerned-members.ts'

/** @throws AppError validation_failed if the plan isn't at Stripe */
export function findTarget({ config }: Pick<BillingDeps, 'config'>, plan: PlanRow): Target {
  const ids = idsOfPlan(config, plan.key)
  if (!ids) {
    throw new AppError('validation_failed', { message: 'Stripe doesn’t have this plan. Save it first.' })
  }
  const { priceCents, currency } = plan
  return { ...ids, priceCents, currency, interval: plan.interval === 'year' ? 'year' : 'month' }
}

type Moving = Concerned & { planned: Planned }

/** Previews a move: new prices, and why some members keep theirs. */
export function previewMove(concerned: readonly Concerned[], target: Target, noticeDays: number, now: Date) {
  const moving: Moving[] = []
  const stay = new Map<ReasonToStay, Concerned[]>()
  for (const member of concerned) {
    const planned = planMove(member.row, target, noticeDays, now)
    if (typeof planned === 'string') stay.set(planned, [...(stay.get(planned) ?? []), member])
    else moving.push({ ...member, planned })
  }
  const perMonth = (cents: (one: Planned) => number) => {
    const sum = moving.reduce((all, { planned }) => all + cents(planned), 0)
    return target.interval === 'year' ? Math.round(sum / 12) : sum
  }
  const totals = {
    members: moving.length,
    beforeCents: perMonth(({ oldCents }) => oldCents),
    afterCents: perMonth(({ newCents }) => newCents),
  }
  return { moving, stay, totals }
}
