import { invalid } from '../http/errors.ts'
import { build } from '../schema/build-object.ts'
import { newId } from '../store/ids.ts'
import { change, create, inTimeOfCustomer, type Tx } from '../tx.ts'
import type { Charge, Metadata, Refund } from '../types.ts'

/**
 * Refunds a charge in full or in part (cents). Doesn't change the subscription.
 * @throws ApiError 400 if the charge failed or nothing is left to refund
 */
export function refundCharge(
  given: Tx,
  charge: Charge,
  amount: number | undefined,
  reason: string | null,
  metadata: Metadata,
): Refund {
  const tx = charge.customer ? inTimeOfCustomer(given, charge.customer) : given
  const left = charge.amount - charge.amount_refunded
  if (charge.status !== 'succeeded') throw invalid('This charge did not succeed, there is nothing to refund.', 'charge')
  if (left <= 0) throw invalid(`Charge ${charge.id} has already been refunded.`, 'charge', 'charge_already_refunded')
  const wanted = amount ?? left
  if (wanted <= 0 || wanted > left) {
    throw invalid(
      `Refund amount (${wanted}) must be positive and not greater than unrefunded amount on charge (${left}).`,
      'amount',
    )
  }
  const refund = build<Refund>('refund', {
    id: newId('re'),
    amount: wanted,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: tx.at,
    currency: charge.currency,
    customer: charge.customer,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: (charge.payment_method as string | null) ?? null,
    reason,
    status: 'succeeded',
  })
  create(tx, 'refund.created', refund)
  const refunded = charge.amount_refunded + wanted
  change(tx, 'charge.refunded', charge, { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount })
  return refund
}
