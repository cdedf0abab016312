import type Stripe from 'stripe'

const taking: ReadonlySet<string> = new Set<Stripe.Dispute.Status>([
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
])

/** The bank has taken the money back, perhaps for good; also while a lost dispute is appealed. Inquiries (`warning_…`) move no money. */
export const takesMoneyBack = (status: string): boolean => taking.has(status)
