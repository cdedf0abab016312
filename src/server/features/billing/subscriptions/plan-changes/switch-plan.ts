import { and, eq, gt } from 'drizzle-orm'
import type Stripe from 'stripe'
import { teamSeat } from '#server/db/schema/index.ts'
import type { SwitchPreview } from '#shared/contracts/billing/billing.ts'
import type { Subscription } from '#shared/contracts/billing/subscription.ts'
import { planOf } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import { type BillingDeps, fromSeconds, idOf, toSeconds } from '../billing-deps.ts'
import { grossOf } from '../revenue/tax.ts'
import { currencyOfPrice, planOfPrice } from '../stripe/plan-ids.ts'
import { toPlanUnavailable, withStripeErrors } from '../stripe/stripe-errors.ts'
import { planItemOf } from '../sync/plan-subscriptions.ts'
import {
  type Actor,
  type CurrentSubscription,
  changeSubscription,
  fetchCurrentSubscription,
  idempotencyKeyFor,
  requireOnlyPlanBilled,
} from './change-subscription.ts'

/** How long a previewed amount stays valid. */
const previewLivesSeconds = 30 * 60

type Wanted = { priceId: string; prorationDate: number; dueTodayCents: number; requestId: string }

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
    const ask = (proration: Proration) => invoiceOfSwitch(deps, current, { item: item.id, priceId }, proration)
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
    }
  })
}

type Proration = Pick<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails, 'proration_behavior' | 'proration_date'>

const chargedNow = (prorationDate: number) =>
  ({ proration_behavior: 'always_invoice', proration_date: prorationDate }) satisfies Proration

const isTrialing = ({ subscription }: CurrentSubscription) => subscription.status === 'trialing'

/**
 * Stripe's invoice preview for the switch.
 * @throws AppError plan_unavailable; other errors from Stripe
 */
async function invoiceOfSwitch(
  deps: BillingDeps,
  { customerId, subscription }: CurrentSubscription,
  { item, priceId }: { item: string; priceId: string },
  proration: Proration,
): Promise<Stripe.Invoice> {
  try {
    return await deps.stripe.invoices.createPreview({
      customer: customerId,
      subscription: subscription.id,
      subscription_details: { items: [{ id: item, price: priceId, quantity: 1 }], ...proration },
    })
  } catch (error) {
    throw toPlanUnavailable(deps, error, priceId)
  }
}

/** The line that bills a whole period. Missing when the invoice has only prorations. */
const wholePeriod = ({ lines }: Stripe.Invoice) =>
  lines.data.find(({ parent, amount }) => amount > 0 && !parent?.subscription_item_details?.proration)

/** What is paid for a line after the discounts that `applies` accepts, with tax. */
function costOf(line: Stripe.InvoiceLineItem | undefined, applies: (discount: string) => boolean): number {
  if (!line) return 0
  const discounts = line.discount_amounts ?? []
  const off = (some: typeof discounts) => some.reduce((sum, { amount }) => sum + amount, 0)
  const reduced = line.amount - off(discounts.filter(({ discount }) => applies(idOf(discount) ?? '')))
  const shown = line.amount - off(discounts)
  return shown > 0 ? Math.round((reduced * grossOf(line)) / shown) : reduced
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
    await requireSameAmount(deps, current, item.id, wanted)
    await deps.stripe.subscriptions.update(
      current.subscription.id,
      {
        items: [{ id: item.id, price: wanted.priceId, quantity: 1 }],
        ...(!isTrialing(current) && chargedNow(wanted.prorationDate)),
        payment_behavior: 'error_if_incomplete',
      },
      idempotencyKeyFor('switch', current, wanted.requestId),
    )
  })
}

/** A plan for one person ends the team; one for fewer people must have room for it. */
async function requireForSale(deps: BillingDeps, userId: string, priceId: string): Promise<void> {
  const plan = planOfPrice(deps.config, priceId)
  if (!plan) throw new AppError('plan_unavailable')
  const { name, seats } = planOf(deps.config.settings.publication, plan)
  if (seats === 1) return
  const beyond = await deps.database.db
    .select({ seat: teamSeat.seat })
    .from(teamSeat)
    .where(and(eq(teamSeat.ownerId, userId), gt(teamSeat.seat, seats)))
  if (beyond.length === 0) return
  throw new AppError('validation_failed', {
    message: `${name} is for ${seats} people, and your team is larger. Remove members first.`,
  })
}

/** Unpaid, paused and canceled plans can't be switched: the user pays or resumes first. */
function requireSwitchable(deps: BillingDeps, current: CurrentSubscription, priceId: string): Stripe.SubscriptionItem {
  requireOnlyPlanBilled(deps, current)
  const { subscription } = current
  const item = planItemOf(deps, subscription)
  const isActive = subscription.status === 'active' || subscription.status === 'trialing'
  const scheduledToEnd = subscription.cancel_at_period_end || subscription.cancel_at !== null
  // Stripe voids the invoice of a switch during a pause.
  const isPaused = subscription.pause_collection !== null
  if (!item || !isActive || scheduledToEnd || isPaused || item.price.id === priceId)
    throw new AppError('subscription_not_changeable')
  const { currency } = item.price
  if (currencyOfPrice(deps.config, priceId) !== currency) {
    const yours = currency.toUpperCase()
    throw new AppError('subscription_not_changeable', {
      message: `Your plan is paid in ${yours}, which can’t change while it runs. Choose a plan in ${yours}.`,
    })
  }
  return item
}

/** Rejects proration dates that a client could pick to pay less. */
function requireFresh({ now }: CurrentSubscription, prorationDate: number) {
  const ageSeconds = toSeconds(now) - prorationDate
  if (ageSeconds < -60 || ageSeconds > previewLivesSeconds) throw amountHasChanged()
}

/**
 * Previews again and compares, so that only the amount shown is charged. A switch in another tab, an expired discount or
 * a used credit changes the amount even with the same proration date.
 */
async function requireSameAmount(
  deps: BillingDeps,
  current: CurrentSubscription,
  item: string,
  { priceId, prorationDate, dueTodayCents }: Wanted,
) {
  const due = isTrialing(current)
    ? 0
    : (await invoiceOfSwitch(deps, current, { item, priceId }, chargedNow(prorationDate))).amount_due
  if (due !== dueTodayCents) throw amountHasChanged()
}

const amountHasChanged = () =>
  new AppError('validation_failed', { message: 'The amount has changed. Review it and try again.' })
