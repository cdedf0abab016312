import { inArray, sql } from 'drizzle-orm'
import { plan, subscriptionState } from '#server/db/schema/index.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { readPlanRows } from '#server/features/billing/subscriptions/plan-store.ts'
import { revenueCurrency } from '#server/features/billing/subscriptions/revenue/monthly-totals.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { editorLabel } from '#server/features/identity/auth/security/editor.ts'
import type { StoredPlans } from '#shared/contracts/billing/admin-plans.ts'

const runningStatuses = ['active', 'trialing', 'past_due', 'unpaid', 'paused']

/** All plans as owners edit them. */
export async function listStoredPlans({ database: { db }, config }: BillingDeps): Promise<StoredPlans> {
  const { productId, status } = subscriptionState
  const [rows, editors, counts] = await Promise.all([
    readPlanRows(db),
    db.select({ key: plan.key, label: editorLabel(plan.updatedBy, plan.updatedById) }).from(plan),
    db
      .select({ productId, count: sql<number>`count(*)`.mapWith(Number) })
      .from(subscriptionState)
      .where(inArray(status, runningStatuses))
      .groupBy(productId),
  ])
  return {
    items: rows.map(({ retiredAt, updatedAt, interval, ...row }) => {
      const ids = idsOfPlan(config, row.key)
      return {
        ...row,
        interval: interval === 'year' ? 'year' : 'month',
        retiredAt: retiredAt?.toISOString() ?? null,
        isAtStripe: ids !== undefined,
        members: counts.find((each) => ids && each.productId === ids.productId)?.count ?? 0,
        updatedAt: updatedAt.toISOString(),
        updatedBy: editors.find(({ key }) => key === row.key)?.label ?? null,
      }
    }),
    usualTrialDays: config.trialDays,
    revenueCurrency,
  }
}
