import type { z } from 'zod'
import type { GiftDeps } from '#server/features/billing/gifts/gift-links.ts'
import { hashToken } from '#server/features/billing/gifts/gift-links.ts'
import { hasAccess } from '#server/features/billing/subscriptions/access/read-access.ts'
import { recordConsent, requireConsent } from '#server/features/billing/subscriptions/checkout/purchase-consent.ts'
import { withStripeErrors } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import { readTaxSettings } from '#server/features/billing/subscriptions/tax-settings.ts'
import type { Principal } from '#server/http/principal.ts'
import type { buyItemCall } from '#shared/contracts/billing/items.ts'
import { itemTerms, soldItemPath } from '#shared/domain/sold-items.ts'
import { AppError } from '#shared/errors.ts'
import { findOrCreate, openCheckout } from './buy-access.ts'
import { ownedItems } from './owned-items.ts'
import { listSoldItems } from './sold-items.ts'

/**
 * Opens a checkout for one item, as for what is paid once. A second click or tab gets the same one.
 * @throws AppError plan_unavailable (also for a changed price), subscription_not_changeable for someone who can open it,
 * consent_required, conflict, stripe_unavailable
 */
export const buyItem = (
  deps: GiftDeps,
  who: Principal,
  { kind, id, amountCents, agreed }: z.output<typeof buyItemCall.input>,
): Promise<{ url: string }> =>
  withLease(deps, `billing:${who.userId}`, () =>
    withStripeErrors(deps, 'buy-item', async () => {
      const { db } = deps.database
      const refuse = (message: string) => new AppError('subscription_not_changeable', { message })
      if (hasAccess(deps.config, who, deps.clock())) {
        throw refuse('You can open this already, so you don’t need to buy it.')
      }
      const owned = await ownedItems(db, who.userId)
      if ((kind === 'guide' ? owned.guides : owned.packs).includes(id)) throw refuse('You’ve already bought this.')
      const item = (await listSoldItems(db)).find((one) => one.kind === kind && one.id === id)
      if (!item) throw new AppError('plan_unavailable', { message: 'This isn’t sold on its own anymore.' })
      if (item.priceCents !== amountCents) {
        throw new AppError('plan_unavailable', { message: 'The price has changed. Reload the page to see it.' })
      }
      const plan = itemTerms(item)
      const consent = requireConsent(deps, { plan, seats: 1, trialDays: 0 }, agreed ?? null)
      const tax = (await readTaxSettings(db)).settings
      const { title, currency } = item
      const behavior = tax.included ? ('inclusive' as const) : ('exclusive' as const)
      const product_data = { name: title.slice(0, 250) || id }
      const price_data = {
        currency,
        unit_amount: amountCents,
        product_data,
        ...(tax.enabled && { tax_behavior: behavior }),
      }
      const terms = hashToken(
        JSON.stringify({ kind, id, price_data, tax, url: deps.config.publicUrl, email: who.email }),
      )
      const row = await findOrCreate(deps, who, plan, terms, { kind, id, title })
      await recordConsent(deps, { nonce: row.id, userId: who.userId }, consent)
      const line = { price_data, quantity: 1 }
      return { url: await openCheckout(deps, who, row, { line, tax, path: soldItemPath({ kind, id }) }) }
    }),
  )
