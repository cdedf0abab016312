import { eq, sql } from 'drizzle-orm'
import { writePublicationSetting } from '#server/db/publication-setting.ts'
import { plan } from '#server/db/schema/index.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { applyPlans, readPlanRows } from '#server/features/billing/subscriptions/plan-store.ts'
import { withStripeErrors } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { readTaxSettings, taxSettingsName } from '#server/features/billing/subscriptions/tax-settings.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { updatedBy } from '#server/features/identity/auth/security/editor.ts'
import type { TaxSettings } from '#shared/contracts/billing/admin-plans.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { AppError } from '#shared/errors.ts'
import { ensureAtStripe } from './plan-at-stripe.ts'
import { withPlanLease } from './save-plan.ts'
import { syncPlansJob } from './sync-plans.ts'

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
    const interval = row.interval === 'year' ? 'year' : 'month'
    const { priceId } = await ensureAtStripe(deps, { ...row, interval, productId: row.stripeProductId }, settings)
    if (priceId !== row.stripePriceId) changed.push({ key: row.key, priceId })
  }
  return changed
}
