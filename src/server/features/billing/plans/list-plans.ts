import { eq, inArray, sql } from 'drizzle-orm'
import { plan, subscriptionState } from '#server/db/schema/index.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { readPlanRows } from '#server/features/billing/subscriptions/plan-store.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { readTaxSettings } from '#server/features/billing/subscriptions/tax-settings.ts'
import { editorLabel } from '#server/features/identity/auth/security/editor.ts'
import type { StoredPlans } from '#shared/contracts/billing/admin-plans.ts'
import { mainCurrency } from '#shared/domain/plans.ts'

const runningStatuses = ['active', 'trialing', 'past_due', 'unpaid', 'paused']

const isOnOtherPrice = sql`${subscriptionState.priceId} <> ${plan.stripePriceId}
  and (${subscriptionState.priceCents}, ${subscriptionState.priceCurrency}, ${subscriptionState.priceInterval})
    is distinct from (${plan.priceCents} * ${subscriptionState.quantity}, ${plan.currency}, ${plan.interval})`

/** All plans as owners edit them. */
export async function listStoredPlans({ database: { db }, config }: BillingDeps): Promise<StoredPlans> {
  const { productId, status } = subscriptionState
  const [rows, editors, counts, tax] = await Promise.all([
    readPlanRows(db),
    db.select({ key: plan.key, label: editorLabel(plan.updatedBy, plan.updatedById) }).from(plan),
    db
      .select({
        productId,
        count: sql<number>`count(*)`.mapWith(Number),
        onOtherPrice: sql<number>`count(*) filter (where ${isOnOtherPrice})`.mapWith(Number),
      })
      .from(subscriptionState)
      .leftJoin(plan, eq(plan.stripeProductId, productId))
      .where(inArray(status, runningStatuses))
      .groupBy(productId),
    readTaxSettings(db),
  ])
  return {
    items: rows.map(({ retiredAt, updatedAt, interval, ...row }) => {
      const ids = idsOfPlan(config, row.key)
      const of = counts.find((each) => ids && each.productId === ids.productId)
      return {
        ...row,
        interval: interval === 'year' ? 'year' : 'month',
        retiredAt: retiredAt?.toISOString() ?? null,
        isAtStripe: ids !== undefined,
        members: of?.count ?? 0,
        onOtherPrice: of?.onOtherPrice ?? 0,
        updatedAt: updatedAt.toISOString(),
        updatedBy: editors.find(({ key }) => key === row.key)?.label ?? null,
      }
    }),
    usualTrialDays: config.trialDays,
    mainCurrency: mainCurrency(config.settings.publication),
    tax,
  }
}
