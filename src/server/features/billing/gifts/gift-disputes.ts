import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Tx } from '#server/db/database.ts'
import { complimentaryAccess, gift } from '#server/db/schema/index.ts'
import { giveAccess } from '#server/features/billing/subscriptions/access/complimentary-access.ts'
import { takesMoneyBack } from '#server/features/billing/subscriptions/stripe/dispute-status.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { lockUser } from '#server/features/identity/auth/users/lock-user.ts'
import { giftRestoredEmail } from '#server/mail/texts/gift-emails.ts'
import { isForGood } from '#shared/domain/entitlement.ts'
import { ownPlan } from './add-gift-months.ts'
import type { GiftDeps, GiftRow } from './gift-links.ts'
import { giftActor, withdrawGift } from './withdraw-gift.ts'

/** Ids of a payment's disputes, newest first. */
export type Disputes = {
  /** The bank has taken the money back, perhaps for good. */
  takingIds: string[]
  wonIds: string[]
}

export const sortDisputes = (disputes: readonly Stripe.Dispute[]): Disputes => ({
  takingIds: disputes.filter(({ status }) => takesMoneyBack(status)).map(({ id }) => id),
  wonIds: disputes.filter(({ status }) => status === 'won').map(({ id }) => id),
})

/**
 * Ends the gift while its payment is disputed or after it was lost, and gives back what the dispute took once it is won. A
 * late answer of Stripe, from before the dispute or before its end, changes nothing.
 */
export async function recordDisputes(
  tx: Tx,
  deps: GiftDeps,
  row: GiftRow,
  { takingIds, wonIds }: Disputes,
  isQuiet: boolean,
): Promise<GiftRow> {
  if (takingIds.some((id) => id !== row.wonDisputeId)) return endGift(tx, deps, row)
  const [wonDisputeId] = wonIds
  if (!wonDisputeId || wonDisputeId === row.wonDisputeId) return row
  const facts = row.state === 'disputed' && row.disputedAt ? await restore(tx, deps, row, isQuiet) : {}
  return update(tx, row, { ...facts, wonDisputeId })
}

async function update(tx: Tx, row: GiftRow, facts: Partial<GiftRow>): Promise<GiftRow> {
  const [after = row] = await tx.update(gift).set(facts).where(eq(gift.id, row.id)).returning()
  return after
}

async function endGift(tx: Tx, deps: GiftDeps, row: GiftRow): Promise<GiftRow> {
  if (row.state === 'disputed' || row.state === 'refunded') return row
  const withdrawnSeconds = row.claimedAt ? await withdrawGift(tx, deps, row) : null
  return update(tx, row, { state: 'disputed', disputedAt: deps.clock(), withdrawnSeconds })
}

/** A refund that was decided before the dispute is made after it. */
async function restore(tx: Tx, deps: GiftDeps, row: GiftRow, isQuiet: boolean): Promise<Partial<GiftRow>> {
  if (row.refundedCents >= row.amountCents) return { state: 'refunded' }
  if (row.refundReason) return { state: 'refunding' }
  if (!row.claimedAt) return { ...openAgain(row, deps.clock()), disputedAt: null }
  const accessUntil = (await giveGiftBack(tx, deps, row, isQuiet)) ?? row.accessUntil
  // The job credits it again, if the dispute took back a credit.
  return { state: 'claimed', disputedAt: null, accessUntil, creditId: null, creditReversalId: null }
}

/** Unclaimed, with the time to claim it that was left. */
function openAgain({ sentAt, claimUntil, disputedAt }: GiftRow, now: Date): Partial<GiftRow> {
  if (!sentAt) return { state: 'scheduled' }
  if (!claimUntil || !disputedAt) return { state: 'sent' }
  return { state: 'sent', claimUntil: new Date(now.getTime() + claimUntil.getTime() - disputedAt.getTime()) }
}

/** Access follows what the member has now: a canceled plan or another gift. Returns its end, or null without any. */
async function giveGiftBack(tx: Tx, deps: GiftDeps, row: GiftRow, isQuiet: boolean): Promise<Date | null> {
  const { claimedBy: userId, withdrawnSeconds: seconds } = row
  if (!userId || !seconds) return null
  const [member] = await lockUser(tx, userId)
  if (!member?.email) return null
  const [access] = await tx.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, userId))
  if (isForGood(access?.until ?? null)) return null
  const { end } = ownPlan(deps, { subscription: await findSubscriptionRow(tx, userId) })
  const now = deps.clock()
  const from = Math.max(now.getTime(), end?.getTime() ?? 0, access?.until.getTime() ?? 0)
  const until = new Date(from + seconds * 1000)
  const note = row.giverName ? `Gift from ${row.giverName}` : 'Gift'
  const email = isQuiet ? null : giftRestoredEmail({ to: member.email, config: deps.config, until })
  await giveAccess(tx, deps, giftActor, { userId, until, note, now, source: 'gift', email })
  return until
}
