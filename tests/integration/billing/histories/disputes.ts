import { press, visit } from '@front-counter/stripe-sandbox/testing'
import type Stripe from 'stripe'
import type { World } from './world.ts'

const open: readonly string[] = ['needs_response', 'under_review']

const disputesOf = async ({ api }: Pick<World, 'api'>, { id, disputed }: Stripe.Charge) =>
  disputed ? (await api.disputes.list({ charge: id, limit: 100 })).data : []

/** The charge with what a bank took back for good counted as refunded. */
export async function withLostDisputes(world: Pick<World, 'api'>, charge: Stripe.Charge): Promise<Stripe.Charge> {
  const lost = (await disputesOf(world, charge)).filter(({ status }) => status === 'lost')
  const cents = charge.amount_refunded + lost.reduce((sum, { amount }) => sum + amount, 0)
  return { ...charge, amount_refunded: Math.min(charge.amount, cents) }
}

export const isTakenBack = async (world: Pick<World, 'api'>, charge: Stripe.Charge): Promise<boolean> =>
  (await disputesOf(world, charge)).some(({ status }) => status === 'lost' || open.includes(status))

/** The customer's bank disputes a payment. */
export async function openDispute(world: World, charge: Stripe.Charge): Promise<void> {
  const page = `http://localhost:${world.sandboxPort}/sandbox/customers/${String(charge.customer)}`
  await press(await visit(page), 'Dispute', { dispute: charge.id })
}

const evidence = { won: 'winning_evidence', lost: 'losing_evidence', escalated: 'escalate_inquiry_evidence' }
export type Decision = keyof typeof evidence

/** A bank decides on a dispute, or turns its question into one. */
export async function decideDispute({ api }: World, pick: number, decision: Decision): Promise<void> {
  const wanted = decision === 'escalated' ? ['warning_needs_response'] : open
  const undecided = (await api.disputes.list({ limit: 100 })).data.filter(({ status }) => wanted.includes(status))
  const dispute = undecided[pick % Math.max(undecided.length, 1)]
  if (!dispute) return
  await api.disputes.update(dispute.id, { evidence: { uncategorized_text: evidence[decision] } })
}
