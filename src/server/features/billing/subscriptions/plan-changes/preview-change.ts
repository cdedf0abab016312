import type Stripe from 'stripe'
import { AppError } from '#shared/errors.ts'
import { type BillingDeps, idOf, toSeconds } from '../billing-deps.ts'
import { withoutStayDiscount } from '../retention/stay-discount.ts'
import { grossOf } from '../revenue/billing-timeline.ts'
import { planItemOf } from '../sync/plan-subscriptions.ts'
import { type CurrentSubscription, requireOnlyPlanBilled } from './change-subscription.ts'

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
  lines.data.find(({ parent, amount }) => amount > 0 && !parent?.subscription_item_details?.proration)

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
