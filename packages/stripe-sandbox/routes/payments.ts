import { invalid } from '../http/errors.ts'
import { field, listRoute, requires } from '../http/find-objects.ts'
import { route } from '../http/route.ts'
import { closeDispute, type Dispute, submitEvidence } from '../objects/disputes.ts'
import { type MetadataParam, mergeMetadata } from '../objects/metadata.ts'
import { refundCharge } from '../objects/refunds.ts'
import type { Tx } from '../tx.ts'
import type { ApiObject, Charge, InvoicePayment, PaymentIntent, Refund } from '../types.ts'

const required = <T extends ApiObject>(tx: Tx, type: T['object'], id: string, param?: string): T =>
  requires<T>(type)(tx, id, param)

type RefundParams = {
  charge?: string
  payment_intent?: string
  amount?: number
  reason?: string
  metadata?: MetadataParam
}

function chargeToRefund(tx: Tx, params: RefundParams): Charge {
  if ((params.charge === undefined) === (params.payment_intent === undefined)) {
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'charge',
    )
  }
  if (params.charge !== undefined) return required<Charge>(tx, 'charge', params.charge, 'charge')
  const intent = required<PaymentIntent>(tx, 'payment_intent', params.payment_intent ?? '', 'payment_intent')
  if (intent.status !== 'succeeded' || !intent.latest_charge) {
    throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, 'payment_intent')
  }
  return required<Charge>(tx, 'charge', intent.latest_charge)
}

export const paymentRoutes = [
  route<RefundParams>(
    'POST',
    '/v1/refunds',
    'post_refunds',
    'charge payment_intent amount reason metadata',
    ({ tx, params }) =>
      refundCharge(
        tx,
        chargeToRefund(tx, params),
        params.amount,
        params.reason ?? null,
        mergeMetadata({}, params.metadata),
      ),
  ),
  route('GET', '/v1/refunds/:id', 'retrieve', '', ({ tx, id }) => required<Refund>(tx, 'refund', id)),
  listRoute('/v1/refunds', 'get_refunds', 'refund', {
    filters: {
      charge: 'lookup',
      payment_intent: field('payment_intent'),
    },
  }),
  route('GET', '/v1/charges/:id', 'retrieve', '', ({ tx, id }) => required<Charge>(tx, 'charge', id)),
  listRoute('/v1/charges', 'get_charges', 'charge', { filters: { customer: 'customer', payment_intent: 'lookup' } }),
  route('GET', '/v1/payment_intents/:id', 'retrieve', '', ({ tx, id }) =>
    required<PaymentIntent>(tx, 'payment_intent', id),
  ),
  listRoute('/v1/payment_intents', 'get_payment_intents', 'payment_intent', { filters: { customer: 'customer' } }),
  route('GET', '/v1/invoice_payments/:id', 'retrieve', '', ({ tx, id }) =>
    required<InvoicePayment>(tx, 'invoice_payment', id),
  ),
  listRoute('/v1/invoice_payments', 'get_invoice_payments', 'invoice_payment', {
    filters: {
      invoice: 'lookup',
      status: 'status',
    },
  }),
  route('GET', '/v1/disputes/:id', 'retrieve', '', ({ tx, id }) => required(tx, 'dispute', id)),
  route<{ evidence?: { uncategorized_text?: string }; submit?: boolean }>(
    'POST',
    '/v1/disputes/:id',
    'post_disputes_id',
    'evidence submit',
    ({ tx, id, params }) => {
      const { id: dispute } = required<Dispute>(tx, 'dispute', id)
      if (params.submit !== false) submitEvidence(tx, dispute, params.evidence?.uncategorized_text ?? '')
      return required<Dispute>(tx, 'dispute', id)
    },
  ),
  // Accepts the dispute.
  route('POST', '/v1/disputes/:id/close', 'retrieve', '', ({ tx, id }) => {
    closeDispute(tx, required<Dispute>(tx, 'dispute', id).id, false)
    return required<Dispute>(tx, 'dispute', id)
  }),
  listRoute('/v1/disputes', 'get_disputes', 'dispute', {
    filters: {
      charge: 'lookup',
      payment_intent: field('payment_intent'),
    },
  }),
]
