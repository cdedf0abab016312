import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { recordStaffEvent } from '#server/db/record-staff-event.ts'
import { gift, subscriptionState } from '#server/db/schema/index.ts'
import { findCustomerId } from '#server/features/billing/subscriptions/customers/stripe-customer-ids.ts'
import { lockUser } from '#server/features/identity/auth/users/lock-user.ts'
import type { Caller, Principal } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { normalizeMailbox } from '#server/mail/normalize-mailbox.ts'
import { giftClaimedEmail, giftCreditedEmail, giftStartedEmail } from '#server/mail/texts/gift-emails.ts'
import type { ClaimedGift, claimGiftCall, ReceivedGift } from '#shared/contracts/billing/gifts.ts'
import { AppError } from '#shared/errors.ts'
import { addGiftMonths, ownPlan } from './add-gift-months.ts'
import { readGiftSettings } from './buy-gift.ts'
import { trySettleCredit } from './gift-credit.ts'
import { findByClaimToken, type GiftDeps, type GiftRow, lockGift } from './gift-links.ts'
import { startRefund, tryRefund } from './refund-gift.ts'
import { tellGiver, toGiver } from './sync-gift.ts'

/** Reads a gift by its link, without changing anything. @throws AppError gift_invalid */
export async function readReceivedGift(deps: GiftDeps, token: string): Promise<ReceivedGift> {
  const row = await findByClaimToken(deps.database.db, token)
  const { giverName, recipientName, recipientEmail, message, months } = row
  return {
    state: receivedState(row, deps.clock()),
    ...{ giverName, recipientName, recipientEmail, message, months },
    claimUntil: (row.claimUntil ?? deps.clock()).toISOString(),
  }
}

function receivedState({ state, claimedAt, claimUntil }: GiftRow, now: Date): ReceivedGift['state'] {
  if (state === 'refunding' || state === 'refunded' || state === 'disputed') return 'refunded'
  if (claimedAt) return 'claimed'
  return claimUntil && claimUntil <= now ? 'over' : 'open'
}

/**
 * Gives the gift to the caller's account, once. Repeating it from the same account answers the same.
 * @throws AppError gift_invalid, gift_used, gift_over, gift_refunded, gift_to_yourself, address_not_confirmed,
 * gift_already_paying with `choice`
 */
export async function claimGift(
  deps: GiftDeps,
  who: Caller,
  { token, accept }: z.output<typeof claimGiftCall.input>,
): Promise<ClaimedGift> {
  const found = await findByClaimToken(deps.database.db, token)
  if (who.isAnonymous) throw new AppError('address_not_confirmed')
  if (normalizeMailbox(who.email) === normalizeMailbox(found.giverEmail)) {
    throw new AppError('gift_to_yourself', {
      message: 'You bought this gift. Forward its email to the person it’s for.',
    })
  }
  const row = await deps.database.db.transaction((tx) => claim(tx, deps, who, found, accept))
  if (row.state === 'refunding') await tryRefund(deps, row)
  else if (row.outcome === 'credit' && !row.creditId) await trySettleCredit(deps, row)
  return {
    outcome: row.state === 'refunding' ? 'refund' : row.outcome === 'credit' ? 'credit' : 'access',
    accessUntil: row.accessUntil?.toISOString() ?? null,
    creditCents: row.outcome === 'credit' ? row.amountCents : 0,
    currency: row.currency,
  }
}

async function claim(
  tx: Tx,
  deps: GiftDeps,
  who: Principal,
  found: GiftRow,
  accept: 'credit' | 'refund' | null,
): Promise<GiftRow> {
  const now = deps.clock()
  // The user first: giving access locks it, too.
  await lockUser(tx, who.userId)
  const row = await lockGift(tx, found.id)
  if (!row || row.claimTokenHash !== found.claimTokenHash) throw new AppError('gift_invalid')
  const state = receivedState(row, now)
  if (state === 'claimed' && row.claimedBy === who.userId) return row
  if (state === 'claimed') throw new AppError('gift_used')
  if (state === 'refunded') throw new AppError('gift_refunded')
  if (state === 'over') throw new AppError('gift_over')
  requireConfirmed(who, row)
  const plan = ownPlan(deps, who)
  if (!plan.renews) return giveYear(tx, deps, who, row, plan.end)
  const { settings } = await readGiftSettings(tx)
  // Stripe can’t credit a customer in another currency than the one they pay in.
  const forPayers = (await paysIn(tx, who, row.currency)) ? settings.forPayers : 'refund'
  if (accept !== forPayers) {
    throw new AppError('gift_already_paying', {
      extra: { choice: forPayers, amountCents: row.amountCents, currency: row.currency },
    })
  }
  if (forPayers === 'refund') {
    await startRefund(tx, row.id, 'already_paying')
    return { ...row, state: 'refunding' }
  }
  return giveCredit(tx, deps, who, row)
}

async function paysIn(tx: Tx, { userId }: Principal, currency: string): Promise<boolean> {
  const [own] = await tx
    .select({ currency: subscriptionState.priceCurrency })
    .from(subscriptionState)
    .where(eq(subscriptionState.userId, userId))
  return own?.currency === currency
}

/** A forwarded link doesn't prove a mailbox: claiming confirms no address. */
function requireConfirmed({ emailConfirmed, email }: Principal, { recipientEmail }: GiftRow): void {
  if (!emailConfirmed && email !== recipientEmail) throw new AppError('address_not_confirmed')
}

async function giveYear(tx: Tx, deps: GiftDeps, who: Principal, row: GiftRow, planEnd: Date | null): Promise<GiftRow> {
  const { months, giverName: giver } = row
  const accessUntil = await addGiftMonths(tx, deps, who, {
    months,
    planEnd,
    source: 'gift',
    note: giver ? `Gift from ${giver}` : 'Gift',
    email: (until) => giftStartedEmail({ to: who.email, config: deps.config, giver, until }),
  })
  return markClaimed(tx, deps, row, { claimedBy: who.userId, outcome: 'access', accessUntil })
}

async function giveCredit(tx: Tx, deps: GiftDeps, who: Principal, row: GiftRow): Promise<GiftRow> {
  const creditCustomerId = await findCustomerId(tx, who.userId)
  if (!creditCustomerId) throw new AppError('conflict')
  const { amountCents, currency, giverName: giver } = row
  const { config } = deps
  await deps.enqueue(tx, emailJob, giftCreditedEmail({ to: who.email, config, giver, amountCents, currency }))
  return markClaimed(tx, deps, row, { claimedBy: who.userId, outcome: 'credit', creditCustomerId })
}

async function markClaimed(tx: Tx, deps: GiftDeps, row: GiftRow, facts: Partial<GiftRow>): Promise<GiftRow> {
  const [claimed = row] = await tx
    .update(gift)
    .set({ state: 'claimed', claimedAt: deps.clock(), ...facts })
    .where(eq(gift.id, row.id))
    .returning()
  await recordStaffEvent(tx, 'gift')
  await tellGiver(tx, deps, claimed, false, () => giftClaimedEmail(toGiver(deps, claimed)))
  return claimed
}
