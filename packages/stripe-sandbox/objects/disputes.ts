import { invalid } from '../http/errors.ts'
import { newId } from '../store/ids.ts'
import { change, create, emit, inTimeOfCustomer, type Tx } from '../tx.ts'
import type { ApiObject, Charge } from '../types.ts'

export type Dispute = ApiObject & {
  object: 'dispute'
  amount: number
  charge: string
  status: 'needs_response' | 'won' | 'lost'
}

export const disputesOf = (tx: Tx, charge: string): Dispute[] =>
  tx.store.select<Dispute>('dispute', 'lookup = ?', charge)

/** Creates a dispute. It names only its charge, through which the customer is found. */
export function openDispute(given: Tx, charge: Charge): Dispute {
  if (charge.status !== 'succeeded' || charge.refunded || charge.disputed)
    throw invalid('This charge cannot be disputed.')
  const tx = charge.customer ? inTimeOfCustomer(given, charge.customer) : given
  const dispute: Dispute = {
    id: newId('dp'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: tx.at,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: { due_by: tx.at + 7 * 86400, has_evidence: false, past_due: false, submission_count: 0 },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  }
  tx.store.put({ ...charge, disputed: true })
  create(tx, 'charge.dispute.created', dispute)
  emit(tx, 'charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** Closes a dispute. If won, the money is returned. The application decides about the subscription. */
export function closeDispute(given: Tx, id: string, won: boolean): void {
  const dispute = given.store.find<Dispute>('dispute', id)
  if (dispute?.status !== 'needs_response') throw invalid('This dispute is already closed.')
  const charge = given.store.find<Charge>('charge', dispute.charge)
  const tx = charge?.customer ? inTimeOfCustomer(given, charge.customer) : given
  const closed = change(tx, 'charge.dispute.closed', dispute, { ...dispute, status: won ? 'won' : 'lost' })
  if (won) emit(tx, 'charge.dispute.funds_reinstated', closed)
}
