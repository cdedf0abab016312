import type Stripe from 'stripe'
import type { SwitchPreview } from '#shared/contracts/billing.ts'
import type { Subscription } from '#shared/contracts/subscription.ts'
import { AppError } from '#shared/errors.ts'
import { type BillingDeps, fromSeconds, idOf, toSeconds } from './billing-deps.ts'
import {
  type Actor,
  changeSubscription,
  fetchCurrentSubscription,
  type Held,
  idempotencyKeyFor,
  requireOnlyPlanBilled,
} from './change-subscription.ts'
import { planOfPrice } from './plan-ids.ts'
import { planItemOf } from './plan-subscriptions.ts'
import { toPlanUnavailable, withStripeErrors } from './stripe-errors.ts'

/** How long somebody may think about the amount that was shown. */
const previewLivesSeconds = 30 * 60

type Wanted = { priceId: string; prorationDate: number; dueTodayCents: number; requestId: string }

/**
 * What a switch would cost now, by Stripe's own reckoning at a fixed second, which the real switch uses again.
 * @throws AppError plan_unavailable, no_billing_account, subscription_not_changeable, stripe_unavailable
 */
export async function previewSwitch(deps: BillingDeps, who: Actor, priceId: string): Promise<SwitchPreview> {
  requireSold(deps, priceId)
  return withStripeErrors(deps, 'preview-switch', async () => {
    const held = await fetchCurrentSubscription(deps, who.userId)
    const item = requireSwitchable(deps, held, priceId)
    const prorationDate = toSeconds(held.now)
    const trialing = isTrialing(held)
    const ask = (proration: Proration) => invoiceOfSwitch(deps, held, { item: item.id, priceId }, proration)
    const invoice = await ask(trialing ? {} : chargedNow(prorationDate))
    const begun = wholePeriod(invoice)
    // Going from a year to a month starts a month now; the refunded rest of the year ends later and isn't the next charge.
    const nextAt = !trialing && begun ? begun.period.end : item.current_period_end
    return {
      // In a trial nothing is due before its end, which is what Stripe's next invoice is about then.
      dueTodayCents: trialing ? 0 : invoice.amount_due,
      currency: invoice.currency,
      creditCents: Math.max(0, -(invoice.ending_balance ?? Math.min(0, invoice.total))),
      nextAt: fromSeconds(nextAt).toISOString(),
      nextCents:
        begun && !trialing
          ? costOf(begun, (id) => runsUntil(held, id, nextAt))
          : costOf(begun ?? wholePeriod(await ask({ proration_behavior: 'none' })), () => true),
      prorationDate,
    }
  })
}

type Proration = Pick<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails, 'proration_behavior' | 'proration_date'>

const chargedNow = (prorationDate: number) =>
  ({ proration_behavior: 'always_invoice', proration_date: prorationDate }) satisfies Proration

const isTrialing = ({ subscription }: Held) => subscription.status === 'trialing'

/**
 * What Stripe would charge for going over, and when.
 * @throws AppError plan_unavailable, and whatever Stripe throws
 */
async function invoiceOfSwitch(
  deps: BillingDeps,
  { customerId, subscription }: Held,
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

/** The line for a whole period; a switch within one has only parts of periods. */
const wholePeriod = ({ lines }: Stripe.Invoice) =>
  lines.data.find(({ parent, amount }) => amount > 0 && !parent?.subscription_item_details?.proration)

/** What a period comes to with those of its discounts that will be there. */
const costOf = (line: Stripe.InvoiceLineItem | undefined, isThere: (discount: string) => boolean): number =>
  (line?.discount_amounts ?? [])
    .filter(({ discount }) => isThere(idOf(discount) ?? ''))
    .reduce((rest, { amount }) => rest - amount, line?.amount ?? 0)

/** Whether a discount that counts today will count again then. */
const runsUntil = ({ subscription }: Held, id: string, at: number): boolean =>
  subscription.discounts.some((discount) => {
    if (typeof discount === 'string' || discount.id !== id) return false
    const { coupon } = discount.source
    const once = typeof coupon === 'object' && coupon?.duration === 'once'
    return !once && (discount.end === null || discount.end > at)
  })

/**
 * Switches and charges at once. A declined card changes nothing: whoever wanted another plan keeps the one they have.
 * @throws AppError validation_failed for an old preview, and what every action throws
 */
export async function switchPlan(deps: BillingDeps, who: Actor, wanted: Wanted): Promise<Subscription> {
  requireSold(deps, wanted.priceId)
  return changeSubscription(deps, who, 'switch-plan', async (held) => {
    // The second click, or the second tab.
    if (planItemOf(deps, held.subscription)?.price.id === wanted.priceId) return
    const item = requireSwitchable(deps, held, wanted.priceId)
    requireFresh(held, wanted.prorationDate)
    await requireSameAmount(deps, held, item.id, wanted)
    await deps.stripe.subscriptions.update(
      held.subscription.id,
      {
        items: [{ id: item.id, price: wanted.priceId, quantity: 1 }],
        ...(!isTrialing(held) && chargedNow(wanted.prorationDate)),
        payment_behavior: 'error_if_incomplete',
      },
      idempotencyKeyFor('switch', held, wanted.requestId),
    )
  })
}

function requireSold(deps: BillingDeps, priceId: string) {
  if (!planOfPrice(deps.config, priceId)) throw new AppError('plan_unavailable')
}

/** Who must pay or resume does that first. */
function requireSwitchable(deps: BillingDeps, held: Held, priceId: string): Stripe.SubscriptionItem {
  requireOnlyPlanBilled(deps, held)
  const { subscription } = held
  const item = planItemOf(deps, subscription)
  const runsOn = subscription.status === 'active' || subscription.status === 'trialing'
  const scheduledToEnd = subscription.cancel_at_period_end || subscription.cancel_at !== null
  if (!item || !runsOn || scheduledToEnd || item.price.id === priceId) throw new AppError('subscription_not_changeable')
  return item
}

/** So that nobody reckons from a day that suits them better. */
function requireFresh({ now }: Held, prorationDate: number) {
  const ageSeconds = toSeconds(now) - prorationDate
  if (ageSeconds < -60 || ageSeconds > previewLivesSeconds) throw amountHasChanged()
}

/**
 * The second alone does not fix the amount: the plan may have been switched in another tab meanwhile, a discount may have
 * ended, a credit been used. Nobody is charged what they were not shown.
 */
async function requireSameAmount(
  deps: BillingDeps,
  held: Held,
  item: string,
  { priceId, prorationDate, dueTodayCents }: Wanted,
) {
  const due = isTrialing(held)
    ? 0
    : (await invoiceOfSwitch(deps, held, { item, priceId }, chargedNow(prorationDate))).amount_due
  if (due !== dueTodayCents) throw amountHasChanged()
}

const amountHasChanged = () =>
  new AppError('validation_failed', { message: 'The amount has changed since. Please look at it again.' })
