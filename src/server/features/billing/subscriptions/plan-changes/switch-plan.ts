import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { teamSeat } from '#server/db/schema/index.ts'
import type { SwitchPreview } from '#shared/contracts/billing/billing.ts'
import type { Subscription } from '#shared/contracts/billing/subscription.ts'
import { findPlan, planOf } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import { type BillingDeps, fromSeconds, idOf, toSeconds } from '../billing-deps.ts'
import { withoutPostponedDiscount, withoutStayDiscount } from '../retention/stay-discount.ts'
import { grossOf } from '../revenue/billing-timeline.ts'
import { currencyOfPrice, planOfPrice } from '../stripe/plan-ids.ts'
import { toPlanUnavailable, withStripeErrors } from '../stripe/stripe-errors.ts'
import { planItemOf, planOfStripePrice } from '../sync/plan-subscriptions.ts'
import { findSubscriptionRow } from '../sync/subscription-row.ts'
import {
  type Actor,
  type CurrentSubscription,
  changeSubscription,
  fetchCurrentSubscription,
  idempotencyKeyFor,
  requireOnlyPlanBilled,
  requirePaidByCard,
} from './change-subscription.ts'

/** How long a previewed amount stays valid. */
const previewLivesSeconds = 30 * 60

type Proration = Pick<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails, 'proration_behavior' | 'proration_date'>

export const chargedNow = (prorationDate: number) =>
  ({ proration_behavior: 'always_invoice', proration_date: prorationDate }) satisfies Proration

export const isTrialing = ({ subscription }: CurrentSubscription) => subscription.status === 'trialing'

/** Stripe's invoice preview for a change of the plan's item. What is charged now has no discount to stay. */
export const previewInvoice = (
  { stripe }: BillingDeps,
  { customerId, subscription }: CurrentSubscription,
  item: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails.Item,
  proration: Proration,
): Promise<Stripe.Invoice> =>
  stripe.invoices.createPreview({
    customer: customerId,
    subscription: subscription.id,
    subscription_details: { items: [item], ...proration },
    ...(proration.proration_behavior === 'always_invoice' && withoutStayDiscount(subscription)),
  })

/** The line that bills a whole period. Missing when the invoice has only prorations. */
export const wholePeriod = ({ lines }: Stripe.Invoice) =>
  lines.data.find(({ parent, amount }) => amount > 0 && parent?.subscription_item_details?.proration === false)

/** What is paid for a line after the discounts that `applies` accepts, with tax. */
export function costOf(line: Stripe.InvoiceLineItem | undefined, applies: (discount: string) => boolean): number {
  if (!line) return 0
  const discounts = line.discount_amounts ?? []
  const off = (some: typeof discounts) => some.reduce((sum, { amount }) => sum + amount, 0)
  const reduced = line.amount - off(discounts.filter(({ discount }) => applies(idOf(discount) ?? '')))
  const shown = line.amount - off(discounts)
  return shown > 0 ? Math.round((reduced * grossOf(line)) / shown) : reduced
}

/** Unpaid, paused and canceled plans can't be changed: the user pays or resumes first. */
export function requireChangeable(
  deps: Pick<BillingDeps, 'config'>,
  current: CurrentSubscription,
): Stripe.SubscriptionItem {
  requireOnlyPlanBilled(deps, current)
  requirePaidByCard(current)
  const { subscription } = current
  const item = planItemOf(deps, subscription)
  const isActive = subscription.status === 'active' || subscription.status === 'trialing'
  const scheduledToEnd = subscription.cancel_at_period_end || subscription.cancel_at !== null
  // Stripe voids the invoice of a change during a pause.
  const isPaused = subscription.pause_collection !== null
  if (!item || !isActive || scheduledToEnd || isPaused) throw new AppError('subscription_not_changeable')
  return item
}

/** Rejects proration dates that a client could pick to pay less. */
export function requireFresh({ now }: CurrentSubscription, prorationDate: number) {
  const ageSeconds = toSeconds(now) - prorationDate
  if (ageSeconds < -60 || ageSeconds > previewLivesSeconds) throw amountHasChanged()
}

export const amountHasChanged = () =>
  new AppError('validation_failed', { message: 'The amount has changed. Review it and try again.' })

type Wanted = {
  priceId: string
  prorationDate: number
  dueTodayCents: number
  seats?: number | null
  requestId: string
}

/**
 * Previews the cost of a switch. Stripe prorates at `prorationDate`, which the switch itself then reuses.
 * @throws AppError plan_unavailable, no_billing_account, subscription_not_changeable, stripe_unavailable
 */
export async function previewSwitch(deps: BillingDeps, who: Actor, priceId: string): Promise<SwitchPreview> {
  await requireForSale(deps, who.userId, priceId)
  return withStripeErrors(deps, 'preview-switch', async () => {
    const current = await fetchCurrentSubscription(deps, who.userId)
    const item = requireSwitchable(deps, current, priceId)
    const prorationDate = toSeconds(current.now)
    const trialing = isTrialing(current)
    const quantity = await quantityFor(deps, who.userId, item, priceId)
    const ask = (proration: Parameters<typeof previewInvoice>[3]) =>
      invoiceOfSwitch(deps, current, { id: item.id, price: priceId, quantity }, proration)
    const invoice = await ask(trialing ? {} : chargedNow(prorationDate))
    const begun = wholePeriod(invoice)
    // A switch from yearly to monthly starts a new month now; the end of the refunded year isn't the next charge.
    const nextAt = !trialing && begun ? begun.period.end : item.current_period_end
    return {
      // Nothing is due during a trial; Stripe's preview shows the invoice at its end.
      dueTodayCents: trialing ? 0 : invoice.amount_due,
      currency: invoice.currency,
      creditCents: Math.max(0, -(invoice.ending_balance ?? Math.min(0, invoice.total))),
      nextAt: fromSeconds(nextAt).toISOString(),
      nextCents:
        begun && !trialing
          ? costOf(begun, (id) => runsUntil(current, id, nextAt))
          : costOf(begun ?? wholePeriod(await ask({ proration_behavior: 'none' })), () => true),
      prorationDate,
      seats: isPerSeat(deps, priceId) ? quantity : null,
    }
  })
}

/**
 * Stripe's invoice preview for the switch.
 * @throws AppError plan_unavailable; other errors from Stripe
 */
async function invoiceOfSwitch(
  deps: BillingDeps,
  current: CurrentSubscription,
  item: { id: string; price: string; quantity: number },
  proration: Parameters<typeof previewInvoice>[3],
): Promise<Stripe.Invoice> {
  try {
    return await previewInvoice(deps, current, item, proration)
  } catch (error) {
    throw toPlanUnavailable(deps, error, item.price)
  }
}

/** Returns true if a current discount still applies at that instant. */
const runsUntil = ({ subscription }: CurrentSubscription, id: string, at: number): boolean =>
  subscription.discounts.some((discount) => {
    if (typeof discount === 'string' || discount.id !== id) return false
    const { coupon } = discount.source
    const once = typeof coupon === 'object' && coupon?.duration === 'once'
    return !once && (discount.end === null || discount.end > at)
  })

/**
 * Switches the plan and charges immediately. If the card is declined, the current plan stays.
 * @throws AppError validation_failed if the preview is out of date; errors of `changeSubscription`
 */
export async function switchPlan(deps: BillingDeps, who: Actor, wanted: Wanted): Promise<Subscription> {
  await requireForSale(deps, who.userId, wanted.priceId)
  return changeSubscription(deps, who, 'switch-plan', async (current) => {
    // Already switched, by a double click or in another tab.
    if (planItemOf(deps, current.subscription)?.price.id === wanted.priceId) return
    const item = requireSwitchable(deps, current, wanted.priceId)
    requireFresh(current, wanted.prorationDate)
    const quantity = await quantityFor(deps, who.userId, item, wanted.priceId)
    if (isPerSeat(deps, wanted.priceId) && (wanted.seats ?? quantity) !== quantity) throw amountHasChanged()
    const change = { id: item.id, price: wanted.priceId, quantity }
    await requireSameAmount(deps, current, change, wanted)
    await deps.stripe.subscriptions.update(
      current.subscription.id,
      {
        items: [change],
        ...(!isTrialing(current) && {
          ...chargedNow(wanted.prorationDate),
          ...withoutStayDiscount(current.subscription),
        }),
        ...withoutPostponedDiscount,
        payment_behavior: 'error_if_incomplete',
      },
      idempotencyKeyFor('switch', current, wanted.requestId),
    )
  })
}

const isPerSeat = ({ config }: BillingDeps, priceId: string): boolean =>
  findPlan(config.settings.publication, planOfPrice(config, priceId))?.perSeat === true

/** A plan for one person ends the team; one for fewer people must have room for it. */
async function requireForSale(deps: BillingDeps, userId: string, priceId: string): Promise<void> {
  const plan = planOfPrice(deps.config, priceId)
  if (!plan) throw new AppError('plan_unavailable')
  const { name, seats, perSeat } = planOf(deps.config.settings.publication, plan)
  if (perSeat || seats === 1) return
  const members = await deps.database.db.$count(teamSeat, eq(teamSeat.ownerId, userId))
  if (members + 1 <= seats) return
  throw new AppError('validation_failed', {
    message: `${name} is for ${seats} people, and your team is larger. Remove members first.`,
  })
}

function requireSwitchable(deps: BillingDeps, current: CurrentSubscription, priceId: string): Stripe.SubscriptionItem {
  const item = requireChangeable(deps, current)
  if (item.price.id === priceId) throw new AppError('subscription_not_changeable')
  const { currency } = item.price
  if (currencyOfPrice(deps.config, priceId) !== currency) {
    const yours = currency.toUpperCase()
    throw new AppError('subscription_not_changeable', {
      message: `Your plan is paid in ${yours}, which can’t change while it runs. Choose a plan in ${yours}.`,
    })
  }
  return item
}

/** Seats to switch with: those of the current plan if both are priced per seat, and enough for the team. */
async function quantityFor(deps: BillingDeps, userId: string, item: Stripe.SubscriptionItem, priceId: string) {
  const wanted = findPlan(deps.config.settings.publication, planOfPrice(deps.config, priceId))
  if (!wanted?.perSeat) return 1
  const { db } = deps.database
  const isPerSeat = findPlan(deps.config.settings.publication, planOfStripePrice(deps, item.price))?.perSeat
  const row = await findSubscriptionRow(db, userId)
  const kept = isPerSeat ? Math.min(item.quantity ?? 1, row?.seatsAfterRenewal ?? Number.POSITIVE_INFINITY) : 1
  const members = await db.$count(teamSeat, eq(teamSeat.ownerId, userId))
  return Math.max(wanted.seats, members + 1, kept)
}

/**
 * Previews again and compares, so that only the amount shown is charged. A switch in another tab, an expired discount or
 * a used credit changes the amount even with the same proration date.
 */
async function requireSameAmount(
  deps: BillingDeps,
  current: CurrentSubscription,
  change: { id: string; price: string; quantity: number },
  { prorationDate, dueTodayCents }: Wanted,
) {
  const due = isTrialing(current)
    ? 0
    : (await invoiceOfSwitch(deps, current, change, chargedNow(prorationDate))).amount_due
  if (due !== dueTodayCents) throw amountHasChanged()
}
