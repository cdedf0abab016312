import { and, asc, eq, isNull, lt, lte, sql } from 'drizzle-orm'
import { gift } from '#server/db/schema/index.ts'
import { describeFailure } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { giftBouncedEmail, giftExtendedEmail, giftReminderEmail } from '#server/mail/texts/gift-emails.ts'
import { readGiftSettings } from './buy-gift.ts'
import { claimEnd, eachDue, hasBounced, toRecipient } from './deliver-gifts.ts'
import type { GiftDeps } from './gift-links.ts'
import { startRefund } from './refund-gift.ts'
import { isPaymentPending, syncGift, tellGiver, toGiver } from './sync-gift.ts'

/** After the time to claim: extends it once, if the setting says so, or decides on a refund. */
export async function endUnclaimed(deps: GiftDeps): Promise<void> {
  const now = deps.clock()
  const { unclaimed } = (await readGiftSettings(deps.database.db)).settings
  await eachDue(deps, and(eq(gift.state, 'sent'), lte(gift.claimUntil, now)), async (tx, _deps, row) => {
    if (unclaimed === 'refund' || row.extendedAt) return startRefund(tx, row.id, 'unclaimed')
    const claimUntil = claimEnd(now)
    const [extended = row] = await tx
      .update(gift)
      .set({ claimUntil, extendedAt: now, remindedAt: null })
      .where(eq(gift.id, row.id))
      .returning()
    await deps.enqueue(tx, emailJob, giftReminderEmail(toRecipient(deps, extended)))
    await tellGiver(tx, deps, extended, false, () => giftExtendedEmail({ ...toGiver(deps, extended), claimUntil }))
  })
}

/** Tells givers once that the email came back, so that they correct the address. */
export async function reportBounces(deps: GiftDeps): Promise<void> {
  const isDue = and(eq(gift.state, 'sent'), isNull(gift.bounceToldAt), sql`${hasBounced}`)
  await eachDue(deps, isDue, async (tx, _deps, row) => {
    await tx.update(gift).set({ bounceToldAt: deps.clock() }).where(eq(gift.id, row.id))
    const { recipientEmail } = row
    await tellGiver(tx, deps, row, false, () => giftBouncedEmail({ ...toGiver(deps, row), recipientEmail }))
  })
}

const minuteMs = 60_000
/** Longer than the day after which a checkout session expires. */
const keptUnpaidMs = 48 * 60 * minuteMs

/** Finds payments whose webhook was lost. Deletes a gift only after Stripe has just said that it wasn't paid. */
export async function checkUnpaid(deps: GiftDeps): Promise<void> {
  const { db } = deps.database
  const now = deps.clock().getTime()
  const before = (ms: number) => lt(gift.createdAt, new Date(now - ms))
  const rows = await db
    .select()
    .from(gift)
    .where(and(eq(gift.state, 'unpaid'), before(10 * minuteMs)))
    .orderBy(asc(gift.createdAt))
    .limit(100)
  for (const row of rows) {
    try {
      await syncGift(deps, row)
      if (await isPaymentPending(deps, row)) continue
      await db.delete(gift).where(and(eq(gift.id, row.id), eq(gift.state, 'unpaid'), before(keptUnpaidMs)))
    } catch (error) {
      deps.logger.warn({ giftId: row.id, ...describeFailure(error) }, 'check of an unpaid gift failed')
    }
  }
}
