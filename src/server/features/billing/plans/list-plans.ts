import { eq, inArray, sql } from 'drizzle-orm'
import { writePublicationSetting } from '#server/db/publication-setting.ts'
import { plan, purchase, subscriptionState } from '#server/db/schema/index.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { applyPlans, readPlanRows } from '#server/features/billing/subscriptions/plan-store.ts'
import { ensureAtStripe } from '#server/features/billing/subscriptions/stripe/plan-at-stripe.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { withStripeErrors } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { readTaxSettings, taxSettingsName } from '#server/features/billing/subscriptions/tax-settings.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { editorLabel, updatedBy } from '#server/features/identity/auth/security/editor.ts'
import type { StoredPlans, TaxSettings } from '#shared/contracts/billing/admin-plans.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { mainCurrency } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import { syncPlansJob, withPlanLease } from './change-plans.ts'

/**
 * Changes whether new subscriptions are taxed. Makes the plans' prices at Stripe first, since a price says whether tax is
 * included and can't change it; if Stripe doesn't answer, nothing is stored.
 * @throws AppError validation_failed without tax settings at Stripe, edit_conflict, stripe_unavailable
 */
export async function saveTaxSettings(
  deps: BillingDeps,
  { settings, basedOn }: { settings: TaxSettings; basedOn: number },
  who: Actor,
): Promise<void> {
  const { db } = deps.database
  await withPlanLease(deps, async () => {
    if ((await readTaxSettings(db)).version !== basedOn) throw new AppError('edit_conflict')
    const prices = settings.enabled ? await withStripeErrors(deps, 'save-tax', () => taxedPrices(deps, settings)) : []
    await db.transaction(async (tx) => {
      const now = deps.clock()
      const { settings: before, version } = await readTaxSettings(tx)
      const write = { value: settings, updatedAt: now, ...updatedBy(who) }
      if (version !== basedOn || !(await writePublicationSetting(tx, taxSettingsName, version, write))) {
        throw new AppError('edit_conflict')
      }
      for (const { key, priceId } of prices) {
        await tx
          .update(plan)
          .set({ stripePriceId: priceId, version: sql`${plan.version} + 1` })
          .where(eq(plan.key, key))
      }
      const changes = changesBetween(before, settings)
      if (changes.length > 0) await recordAdminEvent(tx, who, { event: 'tax_settings_changed', changes, now })
      if (prices.length > 0) await deps.enqueue(tx, syncPlansJob, { renamed: [] })
    })
  })
  await applyPlans(db, deps.config)
}

/** Prices of plans that need another one. */
async function taxedPrices(deps: BillingDeps, settings: TaxSettings) {
  const { status } = await deps.stripe.tax.settings.retrieve()
  if (status !== 'active') {
    throw new AppError('validation_failed', {
      message:
        'Stripe can’t compute tax yet. Enter your address and where you are registered under Tax in Stripe’s dashboard, then save again.',
    })
  }
  const changed: { key: string; priceId: string }[] = []
  for (const row of await readPlanRows(deps.database.db)) {
    if (!row.stripeProductId || !row.stripePriceId) continue
    const { priceId } = await ensureAtStripe(deps, { ...row, productId: row.stripeProductId }, settings)
    if (priceId !== row.stripePriceId) changed.push({ key: row.key, priceId })
  }
  return changed
}

const runningStatuses = ['active', 'trialing', 'past_due', 'unpaid', 'paused']

const isOnOtherPrice = sql`${subscriptionState.priceId} <> ${plan.stripePriceId}
  and (${subscriptionState.priceCents}, ${subscriptionState.priceCurrency}, ${subscriptionState.priceInterval},
    ${subscriptionState.priceIntervalCount})
    is distinct from (${plan.priceCents} * ${subscriptionState.quantity}, ${plan.currency}, ${plan.interval}, ${plan.intervalCount})`

/** All plans as owners edit them. */
export async function listStoredPlans({ database: { db }, config }: BillingDeps): Promise<StoredPlans> {
  const { productId, status } = subscriptionState
  const [rows, editors, counts, paidOnce, tax] = await Promise.all([
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
    db
      .select({ key: purchase.plan, count: sql<number>`count(*)`.mapWith(Number) })
      .from(purchase)
      .where(eq(purchase.state, 'paid'))
      .groupBy(purchase.plan),
    readTaxSettings(db),
  ])
  return {
    items: rows.map(({ retiredAt, updatedAt, ...row }) => {
      const ids = idsOfPlan(config, row.key)
      const of = counts.find((each) => ids && each.productId === ids.productId)
      return {
        ...row,
        retiredAt: retiredAt?.toISOString() ?? null,
        isAtStripe: ids !== undefined,
        members: of?.count ?? paidOnce.find(({ key }) => key === row.key)?.count ?? 0,
        // Members chose what they pay.
        onOtherPrice: row.floorCents ? 0 : (of?.onOtherPrice ?? 0),
        updatedAt: updatedAt.toISOString(),
        updatedBy: editors.find(({ key }) => key === row.key)?.label ?? null,
      }
    }),
    usualTrialDays: config.trialDays,
    mainCurrency: mainCurrency(config.settings.publication),
    tax,
  }
}
