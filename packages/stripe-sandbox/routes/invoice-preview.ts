import { draftSeconds } from '../billing/billing-periods.ts'
import { moveSubscription } from '../clock/advance-subscription.ts'
import { periodEnd } from '../clock/next-due-time.ts'
import { invalid, unsupported } from '../http/errors.ts'
import { refuseUnsupported, route } from '../http/route.ts'
import { requireCustomer } from '../objects/customers.ts'
import { type DiscountParam, orderOf, readDiscounts } from '../objects/discounts.ts'
import { createSubscription, trialEndOf } from '../objects/subscription-create.ts'
import { newId } from '../store/ids.ts'
import { atTime, inTimeOf, inTimeOfCustomer, type Tx } from '../tx.ts'
import type { Invoice, ProrationBehavior, Subscription } from '../types.ts'
import { type ItemParam, readNewItems } from './subscription-params.ts'
import { requireSubscription, updateSubscription } from './update-subscription.ts'

type Details = {
  items?: ItemParam[]
  proration_behavior?: ProrationBehavior
  proration_date?: number
  billing_cycle_anchor?: { type: 'now' | 'unchanged' | 'timestamp' }
  trial_end?: number | 'now'
}

type PreviewParams = {
  customer?: string
  subscription?: string
  subscription_details?: Details
  discounts?: DiscountParam[] | ''
}

class Undo extends Error {
  readonly invoice: Invoice
  constructor(invoice: Invoice) {
    super('undo')
    this.invoice = invoice
  }
}

/** Makes a change, returns its invoice and rolls everything back, including events. */
function pretend(tx: Tx, work: () => Invoice): Invoice {
  try {
    return tx.store.transaction((): Invoice => {
      throw new Undo(work())
    })
  } catch (error) {
    if (error instanceof Undo) return error.invoice
    throw error
  }
}

const newestInvoice = (tx: Tx, subscription: string): Invoice | undefined =>
  tx.store.select<Invoice>('invoice', 'subscription = ?', subscription).at(-1)

function nextRenewal(tx: Tx, subscription: Subscription): Invoice {
  if (subscription.cancel_at !== null && subscription.cancel_at <= periodEnd(subscription)) {
    throw invalid(`No upcoming invoices for customer: ${subscription.customer}`, undefined, 'invoice_upcoming_none')
  }
  const end = subscription.status === 'trialing' ? (subscription.trial_end ?? tx.at) : periodEnd(subscription)
  moveSubscription(atTime(tx, end), { ...subscription, pause_collection: null, pending_update: null })
  const invoice = newestInvoice(tx, subscription.id)
  if (!invoice) throw new Error('a renewal drafted no invoice')
  return { ...invoice, automatically_finalizes_at: end + draftSeconds }
}

/** The invoice of a subscription change: the immediate one, or else that of the next renewal. */
export function previewChange(
  tx: Tx,
  subscription: Subscription,
  details: Details,
  discounts?: PreviewParams['discounts'],
): Invoice {
  return pretend(tx, () => {
    const before = newestInvoice(tx, subscription.id)?.id
    const { billing_cycle_anchor: anchor, ...rest } = details
    if (anchor?.type === 'timestamp') throw unsupported('subscription_details[billing_cycle_anchor][type]=timestamp')
    const after = updateSubscription(tx, subscription, {
      ...rest,
      ...(discounts !== undefined && { discounts }),
      billing_cycle_anchor: anchor && { type: anchor.type === 'now' ? 'now' : 'unchanged' },
      payment_behavior: 'default_incomplete',
    })
    const invoice = newestInvoice(tx, subscription.id)
    return invoice && invoice.id !== before ? invoice : nextRenewal(tx, after)
  })
}

function previewNew(given: Tx, params: PreviewParams): Invoice {
  const customer = requireCustomer(given, params.customer ?? '', 'customer')
  const tx = inTimeOf(given, customer)
  const items = readNewItems(tx, params.subscription_details?.items)
  return pretend(tx, () => {
    const created = createSubscription(tx, {
      authenticated: false,
      billingMode: 'flexible',
      checkoutSession: null,
      customer,
      defaultPaymentMethod: null,
      description: null,
      items,
      metadata: {},
      missingPaymentMethod: 'create_invoice',
      paymentBehavior: 'default_incomplete',
      redemptions: readDiscounts(tx, params.discounts, customer.id, orderOf(items)),
      trialEnd: trialEndOf(tx, undefined, params.subscription_details?.trial_end),
    })
    return newestInvoice(tx, created.id) as Invoice
  })
}

/** A preview has its own id and neither number nor URL. */
const asPreview = (tx: Tx, invoice: Invoice): Invoice => ({
  ...invoice,
  amount_paid: 0,
  amount_remaining: invoice.amount_due,
  attempted: false,
  billing_reason: 'upcoming',
  created: tx.at,
  effective_at: null,
  hosted_invoice_url: null,
  id: newId('upcoming_in'),
  lines: { ...invoice.lines, data: invoice.lines.data.map((line) => ({ ...line, invoice: null })) },
  number: null,
  status: 'draft',
  status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
})

const detailNames = new Set(['items', 'proration_behavior', 'proration_date', 'billing_cycle_anchor', 'trial_end'])

export const invoicePreviewRoutes = [
  route<PreviewParams>(
    'POST',
    '/v1/invoices/create_preview',
    'post_invoices_create_preview',
    'customer subscription subscription_details discounts',
    ({ tx, params }) => {
      refuseUnsupported(params.subscription_details, detailNames, 'subscription_details')
      if (params.subscription === undefined) {
        if (params.customer === undefined)
          throw invalid('Missing required param: customer.', 'customer', 'parameter_missing')
        return asPreview(tx, previewNew(tx, params))
      }
      const subscription = requireSubscription(tx, params.subscription, 'subscription')
      if (params.customer !== undefined && params.customer !== subscription.customer) {
        throw invalid('The subscription does not belong to this customer.', 'customer')
      }
      const then = inTimeOfCustomer(tx, subscription.customer)
      return asPreview(then, previewChange(then, subscription, params.subscription_details ?? {}, params.discounts))
    },
  ),
]
