import { invalid } from '../http/errors.ts'
import { build } from '../schema/build-object.ts'
import { newId } from '../store/ids.ts'
import { change, create, emit, inTimeOfCustomer, type Tx } from '../tx.ts'
import type { ApiObject, Charge } from '../types.ts'

export type Dispute = ApiObject & {
  object: 'dispute'
  amount: number
  charge: string
  status:
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost'
    | 'warning_needs_response'
    | 'warning_under_review'
    | 'warning_closed'
}

const openStatuses: readonly Dispute['status'][] = [
  'needs_response',
  'under_review',
  'warning_needs_response',
  'warning_under_review',
]

export const isOpenDispute = ({ status }: Dispute): boolean => openStatuses.includes(status)

/** A bank's question about a payment, which moves no money. */
const isInquiry = ({ status }: Dispute): boolean => status.startsWith('warning_')

export const disputesOf = (tx: Tx, charge: string): Dispute[] =>
  tx.store.select<Dispute>('dispute', 'lookup = ?', charge)

/** Creates a dispute or an inquiry. It names only its charge, through which the customer is found. */
export function openDispute(given: Tx, charge: Charge, kind: 'dispute' | 'inquiry' = 'dispute'): Dispute {
  if (charge.status !== 'succeeded' || charge.refunded || charge.disputed)
    throw invalid('This charge cannot be disputed.')
  const tx = charge.customer ? inTimeOfCustomer(given, charge.customer) : given
  const dispute = build<Dispute>('dispute', {
    id: newId('dp'),
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: tx.at,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: { due_by: tx.at + 7 * 86400, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: kind === 'inquiry',
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: kind === 'inquiry' ? 'warning_needs_response' : 'needs_response',
  })
  tx.store.put({ ...charge, disputed: true })
  create(tx, 'charge.dispute.created', dispute)
  if (kind === 'dispute') emit(tx, 'charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** A dispute that can still be decided, and the transaction in its customer's time. @throws ApiError 400 */
function openForChange(given: Tx, id: string): { tx: Tx; dispute: Dispute } {
  const dispute = given.store.find<Dispute>('dispute', id)
  if (!dispute || !isOpenDispute(dispute)) throw invalid('This dispute is already closed.')
  const charge = given.store.find<Charge>('charge', dispute.charge)
  return { dispute, tx: charge?.customer ? inTimeOfCustomer(given, charge.customer) : given }
}

/**
 * Closes a dispute. If won, the money is returned; an inquiry that is won is only closed. The application decides about the
 * subscription.
 */
export function closeDispute(given: Tx, id: string, won: boolean): void {
  const { dispute, tx } = openForChange(given, id)
  const wonStatus = isInquiry(dispute) ? 'warning_closed' : 'won'
  const closed = change(tx, 'charge.dispute.closed', dispute, { ...dispute, status: won ? wonStatus : 'lost' })
  if (closed.status === 'won') emit(tx, 'charge.dispute.funds_reinstated', closed)
}

/**
 * Stores evidence. As in Stripe's test mode, its text decides: `winning_evidence`, `losing_evidence`, and
 * `escalate_inquiry_evidence`, which turns an inquiry into a dispute.
 */
export function submitEvidence(given: Tx, id: string, text: string): void {
  if (text === 'winning_evidence' || text === 'losing_evidence') {
    closeDispute(given, id, text === 'winning_evidence')
    return
  }
  const { dispute, tx } = openForChange(given, id)
  if (isInquiry(dispute) && text === 'escalate_inquiry_evidence') {
    const open = { ...dispute, is_charge_refundable: false, status: 'needs_response' as const }
    emit(tx, 'charge.dispute.funds_withdrawn', change(tx, 'charge.dispute.updated', dispute, open))
    return
  }
  const status = isInquiry(dispute) ? 'warning_under_review' : 'under_review'
  change(tx, 'charge.dispute.updated', dispute, { ...dispute, status })
}
