import type Stripe from 'stripe'
import type { Principal } from '#server/http/principal.ts'
import type { InvoicedPlanInput } from '#shared/contracts/billing/invoice-details.ts'
import { planOf } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import { type BillingDeps, fromSeconds, idOf } from '../billing-deps.ts'
import { ensureCustomer } from '../customers/ensure-customer.ts'
import { saveForCustomer } from '../customers/invoice-details.ts'
import { isPublicDomain } from '../customers/public-domains.ts'
import { planOfPrice } from '../stripe/plan-ids.ts'
import { toCurrencyConflict, toPlanUnavailable, withStripeErrors } from '../stripe/stripe-errors.ts'
import { isLive, isPaidByInvoice } from '../sync/choose-subscription.ts'
import { withLease } from '../sync/lease.ts'
import { planItemOf } from '../sync/plan-subscriptions.ts'
import { syncCustomer } from '../sync/sync-customer.ts'
import { readTaxSettings } from '../tax-settings.ts'
import { expireCheckoutSessions, listOpenCheckoutSessions } from './open-checkout-sessions.ts'
import { createPendingCheckout, deletePendingCheckout } from './pending-checkout.ts'
import { recordConsent, requireConsent } from './purchase-consent.ts'
import { quantityOf } from './start-checkout.ts'

type Buyer = Pick<Principal, 'userId' | 'email' | 'emailConfirmed'>
type Sent = { url: string | null; dueAt: string }

/**
 * Starts a team plan whose invoices are sent and paid by a date, without a trial. Access begins with the first invoice.
 * Calling it again while that plan runs returns its invoice.
 * @throws AppError plan_unavailable, address_not_confirmed, validation_failed, consent_required, tax_id_invalid,
 * invoice_open, subscription_not_changeable for someone with another plan, stripe_unavailable
 */
export async function startInvoicedPlan(deps: BillingDeps, user: Buyer, given: InvoicedPlanInput): Promise<Sent> {
  const key = planOfPrice(deps.config, given.priceId)
  if (!key) throw new AppError('plan_unavailable')
  const plan = planOf(deps.config.settings.publication, key)
  const { invoiceDays: days } = plan
  if (!days || plan.isRetired) throw new AppError('plan_unavailable')
  await requireCompany(user)
  const seats = await quantityOf(deps, user.userId, plan.key, given.seats)
  const consent = requireConsent(deps, { plan, seats, trialDays: 0 }, given.agreed ?? null)
  return withLease(deps, `billing:${user.userId}`, () =>
    withStripeErrors(deps, 'start-invoiced-plan', async () => {
      const customer = await ensureCustomer(deps, { userId: user.userId })
      // One that was just paid can't be expired, so the sync finds its subscription.
      await expireCheckoutSessions(deps, await listOpenCheckoutSessions(deps, customer))
      const { subscription } = (await syncCustomer(deps, customer, { expectsNone: true }))?.state ?? {}
      if (subscription && (isLive(subscription) || ['unpaid', 'paused'].includes(subscription.status))) {
        const isSame = planItemOf(deps, subscription)?.price.id === given.priceId
        if (isSame && isPaidByInvoice(subscription)) return sendFirst(deps, subscription)
        throw new AppError('subscription_not_changeable', {
          message: 'You already have a plan. You can change or cancel it under Account > Billing.',
        })
      }
      const open = await deps.stripe.invoices.list({ customer, status: 'open', limit: 1 })
      if (open.data.length > 0) throw new AppError('invoice_open')
      await saveForCustomer(deps, customer, given)
      if (subscription?.status === 'incomplete') await deps.stripe.subscriptions.cancel(subscription.id)
      const pending = await createPendingCheckout(deps, user.userId, given.priceId)
      await recordConsent(deps, pending, consent)
      const { settings: tax } = await readTaxSettings(deps.database.db)
      const created = await deps.stripe.subscriptions
        .create(
          {
            customer,
            items: [{ price: given.priceId, quantity: seats }],
            collection_method: 'send_invoice',
            days_until_due: days,
            ...(tax.enabled && { automatic_tax: { enabled: true } }),
            billing_mode: { type: 'flexible' },
            metadata: { user_id: user.userId, consent_id: pending.nonce },
          },
          { idempotencyKey: `invoiced:${user.userId}:${pending.nonce}` },
        )
        .catch((error: unknown) => Promise.reject(toPlanUnavailable(deps, toCurrencyConflict(error), given.priceId)))
      const sent = await sendFirst(deps, created)
      await syncCustomer(deps, customer)
      await deletePendingCheckout(deps.database.db, pending)
      return sent
    }),
  )
}

/** Stripe emails the invoice. Without this call, it would do so an hour later. */
async function sendFirst({ stripe, clock }: BillingDeps, subscription: Stripe.Subscription): Promise<Sent> {
  const id = idOf(subscription.latest_invoice) ?? ''
  const found = await stripe.invoices.retrieve(id)
  const { hosted_invoice_url: url, due_date: due } =
    found.status === 'draft' ? await stripe.invoices.sendInvoice(id, {}, { idempotencyKey: `send:${id}` }) : found
  return { url: url ?? null, dueAt: (due ? fromSeconds(due) : clock()).toISOString() }
}

/** An invoice is a credit, so it is for those who can be found. */
async function requireCompany({ email, emailConfirmed }: Buyer): Promise<void> {
  if (!emailConfirmed) throw new AppError('address_not_confirmed')
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (!(await isPublicDomain(domain))) return
  throw new AppError('validation_failed', {
    message: `Anyone can get an address at ${domain}. To pay by invoice, use an account with your company’s address.`,
  })
}
