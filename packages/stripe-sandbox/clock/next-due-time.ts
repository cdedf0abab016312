import { lookUpSeconds, registerAnswer } from '../billing/tax-ids.ts'
import type {
  ApiObject,
  CheckoutSession,
  Invoice,
  InvoiceNotes,
  JsonObject,
  Subscription,
  SubscriptionNotes,
  TaxId,
} from '../types.ts'

/** How long a first payment can be completed, in seconds. */
export const incompleteSeconds = 23 * 3600
/** How long before the end `trial_will_end` is sent, in seconds. */
export const trialNoticeSeconds = 3 * 86400

const earliest = (...times: (number | null | undefined)[]): number | null => {
  const known = times.filter((time) => typeof time === 'number')
  return known.length === 0 ? null : Math.min(...known)
}

/** The end of the current period. All items share it, since mixed intervals aren't supported. */
export const periodEnd = (subscription: Subscription): number =>
  Math.min(...subscription.items.data.map((item) => item.current_period_end))

function subscriptionDue(subscription: Subscription, notes: Partial<SubscriptionNotes>): number | null {
  const pending = subscription.pending_update?.expires_at
  const resumes = subscription.pause_collection?.resumes_at
  switch (subscription.status) {
    case 'incomplete':
      return subscription.created + incompleteSeconds
    case 'trialing': {
      const notice = notes.trialWillEndSent ? null : (subscription.trial_end ?? 0) - trialNoticeSeconds
      return earliest(notice, subscription.trial_end, subscription.cancel_at, pending, resumes)
    }
    case 'active':
    case 'past_due':
    case 'unpaid':
      return earliest(periodEnd(subscription), subscription.cancel_at, pending, resumes)
    case 'paused':
      return subscription.cancel_at
    default:
      return null
  }
}

/** How long after its due date an unpaid invoice ends the subscription. At Stripe this is an account setting. */
const lateSeconds = 15 * 86400

function invoiceDue(invoice: Invoice, { debit, late }: Partial<InvoiceNotes>): number | null {
  if (invoice.status === 'open' && debit) return debit.settlesAt
  if (!invoice.auto_advance) return null
  if (invoice.status === 'draft') return invoice.automatically_finalizes_at
  if (invoice.status === 'open' && invoice.due_date !== null) {
    return late === 'given up' ? null : invoice.due_date + (late ? lateSeconds : 0)
  }
  return invoice.status === 'open' ? invoice.next_payment_attempt : null
}

function taxIdDue({ verification, created, value }: TaxId): number | null {
  return verification.status === 'pending' && registerAnswer(value) ? created + lookUpSeconds : null
}

/** The simulated second at which time alone changes this object, or null. */
export function dueAt(object: ApiObject, notes: JsonObject): number | null {
  if (object.object === 'subscription')
    return subscriptionDue(object as Subscription, notes as Partial<SubscriptionNotes>)
  if (object.object === 'invoice') return invoiceDue(object as Invoice, notes as Partial<InvoiceNotes>)
  if (object.object === 'tax_id') return taxIdDue(object as TaxId)
  if (object.object === 'checkout.session' && object.status === 'open') return (object as CheckoutSession).expires_at
  return null
}
