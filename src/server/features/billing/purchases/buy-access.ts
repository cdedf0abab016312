import { randomUUID } from 'node:crypto'
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { z } from 'zod'
import { complimentaryAccess, purchase, subscriptionState } from '#server/db/schema/index.ts'
import { ownPlan } from '#server/features/billing/gifts/add-gift-months.ts'
import { type GiftDeps, hashToken } from '#server/features/billing/gifts/gift-links.ts'
import {
  expireCheckoutSessions,
  listOpenCheckoutSessions,
} from '#server/features/billing/subscriptions/checkout/open-checkout-sessions.ts'
import { recordConsent, requireConsent } from '#server/features/billing/subscriptions/checkout/purchase-consent.ts'
import { priceForAmount } from '#server/features/billing/subscriptions/checkout/start-checkout.ts'
import { findCustomerId } from '#server/features/billing/subscriptions/customers/stripe-customer-ids.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { withStripeErrors } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { readTaxSettings } from '#server/features/billing/subscriptions/tax-settings.ts'
import type { Principal } from '#server/http/principal.ts'
import type { buyAccessCall } from '#shared/contracts/billing/purchases.ts'
import { hourMs } from '#shared/domain/durations.ts'
import { isForGood } from '#shared/domain/entitlement.ts'
import { problemOfAmount } from '#shared/domain/plan-problem.ts'
import { everythingOnSale, type PlanTerms } from '#shared/domain/plans.ts'
import type { SoldRef } from '#shared/domain/sold-items.ts'
import { AppError } from '#shared/errors.ts'

export type PurchaseRow = typeof purchase.$inferSelect

/** Idempotency keys and checkout sessions last 24 hours. */
const sessionLifeMs = 23 * hourMs

/**
 * Opens a checkout for something that is paid once. The payer is a guest at Stripe, as for gifts. While a checkout is open,
 * a second click or tab gets the same one; for other terms, it is closed first.
 * @throws AppError plan_unavailable (also for a changed price), subscription_not_changeable for someone who has access for
 * good or a plan that renews, consent_required, conflict, stripe_unavailable
 */
export const buyAccess = (
  deps: GiftDeps,
  who: Principal,
  given: z.output<typeof buyAccessCall.input>,
): Promise<{ url: string }> =>
  withLease(deps, `billing:${who.userId}`, () =>
    withStripeErrors(deps, 'buy-access', async () => {
      const plan = everythingOnSale(deps.config.settings.publication).find(({ key }) => key === given.plan)
      const listedId = plan?.once && idsOfPlan(deps.config, plan.key)?.priceId
      if (!plan?.once || !listedId) throw new AppError('plan_unavailable')
      const { amountCents } = given
      const problem = plan.floorCents ? problemOfAmount(plan, amountCents) : null
      if (problem) throw new AppError('validation_failed', { message: problem })
      if (!plan.floorCents && plan.priceCents !== amountCents) {
        throw new AppError('plan_unavailable', { message: 'The price has changed. Reload the page to see it.' })
      }
      // First, so that a plan that is paid meanwhile is found.
      const customer = await findCustomerId(deps.database.db, who.userId)
      if (customer) {
        await expireCheckoutSessions(deps, await listOpenCheckoutSessions(deps, customer))
        await syncCustomer(deps, customer)
      }
      await requireUseful(deps, who)
      const chosen = { ...plan, once: plan.once, priceCents: amountCents }
      const consent = requireConsent(deps, { plan: chosen, seats: 1, trialDays: 0 }, given.agreed ?? null)
      const priceId = await priceForAmount(deps, listedId, plan, amountCents)
      const tax = (await readTaxSettings(deps.database.db)).settings
      const terms = hashToken(JSON.stringify({ priceId, tax, url: deps.config.publicUrl, email: who.email }))
      const row = await findOrCreate(deps, who, chosen, terms)
      await recordConsent(deps, { nonce: row.id, userId: who.userId }, consent)
      return { url: await openCheckout(deps, who, row, { line: { price: priceId, quantity: 1 }, tax }) }
    }),
  )

/** @throws AppError subscription_not_changeable */
async function requireUseful(deps: GiftDeps, { userId }: Principal): Promise<void> {
  const { db } = deps.database
  const [access] = await db.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, userId))
  if (isForGood(access?.until ?? null)) {
    throw new AppError('subscription_not_changeable', { message: 'You already have access for good.' })
  }
  const [own = null] = await db.select().from(subscriptionState).where(eq(subscriptionState.userId, userId))
  if (ownPlan(deps, { subscription: own }).renews) {
    throw new AppError('subscription_not_changeable', {
      message: 'Your plan renews. Cancel it first, under Account > Billing. What you buy then begins when it ends.',
    })
  }
}

type OncePlan = PlanTerms & { once: NonNullable<PlanTerms['once']> }

/** `item`: null for access to everything. */
export async function findOrCreate(
  deps: GiftDeps,
  { userId }: Principal,
  plan: OncePlan,
  terms: string,
  item: (SoldRef & { title: string }) | null = null,
): Promise<PurchaseRow> {
  const { db } = deps.database
  const now = deps.clock()
  const open = await db
    .select()
    .from(purchase)
    .where(
      and(
        eq(purchase.userId, userId),
        eq(purchase.state, 'unpaid'),
        sql`${purchase.itemId} is not distinct from ${item?.id ?? null}`,
        gt(purchase.createdAt, new Date(now.getTime() - sessionLifeMs)),
      ),
    )
    .orderBy(desc(purchase.createdAt))
  let same: PurchaseRow | undefined
  for (const row of open) {
    if (!row.stripeSessionId) same ??= row.terms === terms ? row : undefined
    else {
      const { status } = await deps.stripe.checkout.sessions.retrieve(row.stripeSessionId)
      if (status === 'open' && row.terms === terms) same ??= row
      else if (status === 'open') await deps.stripe.checkout.sessions.expire(row.stripeSessionId)
    }
  }
  if (same) return same
  const { key, once, interval, intervalCount = 1, priceCents: amountCents, currency } = plan
  const fresh = { id: randomUUID(), userId, plan: key, once, interval, intervalCount, amountCents, currency, terms }
  const [created] = await db
    .insert(purchase)
    .values({
      ...fresh,
      ...(item && { itemKind: item.kind, itemId: item.id, itemTitle: item.title }),
      ...{ state: 'unpaid', createdAt: now },
    })
    .returning()
  if (!created) throw new AppError('conflict')
  return created
}

type Terms = {
  line: Stripe.Checkout.SessionCreateParams.LineItem
  tax: Awaited<ReturnType<typeof readTaxSettings>>['settings']
  /** The page of an item. */
  path?: string
}

export async function openCheckout(
  deps: GiftDeps,
  who: Principal,
  { id, plan, itemTitle }: PurchaseRow,
  { line, tax, path }: Terms,
) {
  const { publicUrl } = deps.config
  const metadata = { purchase_id: id }
  const params: Stripe.Checkout.SessionCreateParams = {
    mode: 'payment',
    customer_email: who.email,
    line_items: [line],
    ...(tax.enabled && { automatic_tax: { enabled: true } }),
    ...(tax.taxIds && { tax_id_collection: { enabled: true } }),
    metadata,
    payment_intent_data: { metadata, description: itemTitle ?? plan },
    success_url: `${publicUrl}${path ?? '/account/billing'}?bought=${id}`,
    cancel_url: `${publicUrl}${path ?? '/#pricing'}`,
  }
  const session = await deps.stripe.checkout.sessions
    .create(params, { idempotencyKey: `purchase:${id}` })
    .catch((error: unknown) => {
      throw error instanceof Stripe.errors.StripeIdempotencyError ? new AppError('conflict') : error
    })
  if (!session.url) throw new AppError('conflict')
  await deps.database.db
    .update(purchase)
    .set({ stripeSessionId: session.id })
    .where(and(eq(purchase.id, id), isNull(purchase.stripeSessionId)))
  return session.url
}
