import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { gift, users } from '#server/db/schema/index.ts'
import {
  type BalanceCredit,
  giveCredit,
  takeCreditBack,
} from '#server/features/billing/subscriptions/member-billing/balance-credit.ts'
import { describeFailure } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { giftCreditedEmail, giftCreditWithdrawnEmail } from '#server/mail/texts/gift-emails.ts'
import type { GiftDeps, GiftRow } from './gift-links.ts'

/** Credits the customer's future invoices, or takes back what is left of the credit, as the gift's state says. */
async function settleCredit(deps: GiftDeps, { id, creditCustomerId: customer }: GiftRow): Promise<void> {
  if (!customer) return
  await withLease(deps, `balance:${customer}`, async () => {
    // Read under the lease: a dispute may have changed the state meanwhile.
    const [row] = await deps.database.db.select().from(gift).where(eq(gift.id, id))
    const kind = row && dueNow(row)
    if (!row || !kind) return
    const credit: BalanceCredit = {
      ...{ customer, cents: row.amountCents, currency: row.currency, owner: { gift_id: id } },
      give: { kind: 'credit', description: 'Gift' },
      take: { kind: 'reversal', description: 'Gift refunded' },
    }
    const settled = await (kind === 'credit' ? giveCredit : takeCreditBack)(deps.stripe, credit)
    const set = settled?.id ?? 'none'
    await deps.database.db.transaction(async (tx) => {
      const [changed] = await tx
        .update(gift)
        .set(kind === 'credit' ? { creditId: set } : { creditReversalId: set })
        .where(and(eq(gift.id, id), eq(gift.state, row.state)))
        .returning()
      const isFirst = kind === 'credit' && row.wonDisputeId === null
      if (changed && settled && !isFirst) await tell(tx, deps, changed, kind, settled.amount)
    })
  })
}

/** Emails the member what was taken back, or what a won dispute gave back. Claiming emails the first credit. */
async function tell(tx: Tx, deps: GiftDeps, row: GiftRow, kind: 'credit' | 'reversal', amountCents: number) {
  if (!row.claimedBy || (await isOnHold(tx))) return
  const [member] = await tx.select({ email: users.email }).from(users).where(eq(users.id, row.claimedBy))
  if (!member?.email) return
  const facts = { to: member.email, config: deps.config, amountCents, currency: row.currency }
  if (kind === 'reversal') await deps.enqueue(tx, emailJob, giftCreditWithdrawnEmail(facts))
  else if (amountCents > 0) await deps.enqueue(tx, emailJob, giftCreditedEmail({ ...facts, giver: row.giverName }))
}

function dueNow({ state, creditId, creditReversalId }: GiftRow): 'credit' | 'reversal' | null {
  if (state === 'claimed') return creditId ? null : 'credit'
  return (state === 'refunded' || state === 'disputed') && !creditReversalId ? 'reversal' : null
}

/** Credits a claimed gift or takes it back now; the job repeats it if Stripe doesn't answer. */
export const trySettleCredit = (deps: GiftDeps, row: GiftRow): Promise<void> =>
  settleCredit(deps, row).catch((error: unknown) =>
    deps.logger.warn({ giftId: row.id, ...describeFailure(error) }, 'credit of a gift failed; it is tried again'),
  )

/** Finishes credits of claimed gifts, and takes back those of refunded and disputed ones. */
export async function finishCredits(deps: GiftDeps): Promise<void> {
  const toGive = and(eq(gift.state, 'claimed'), isNull(gift.creditId))
  const toTake = and(inArray(gift.state, ['refunded', 'disputed']), isNull(gift.creditReversalId))
  const isOpen = and(eq(gift.outcome, 'credit'), or(toGive, toTake))
  const rows = await deps.database.db.select().from(gift).where(isOpen).limit(200)
  for (const row of rows) await trySettleCredit(deps, row)
}
