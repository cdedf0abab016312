import { and, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { gift, giftLink, giftLinkUse, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import type { Feature, PersonReaders } from '#server/feature.ts'
import { oneTimePaymentJob } from '#server/features/billing/subscriptions/webhooks/webhook-events.ts'
import { type AnyJob, defineJob, type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import { deliverGifts, remindRecipients } from './deliver-gifts.ts'
import { checkUnpaid, endUnclaimed, reportBounces } from './expire-gifts.ts'
import { finishCredits } from './gift-credit.ts'
import type { GiftDeps } from './gift-links.ts'
import { giftsCalls } from './gifts.calls.ts'
import { finishRefunds } from './refund-gift.ts'
import { findGiftOfEvent, syncGift } from './sync-gift.ts'

const exportedData: PersonReaders = {
  gifts: readGifts,
}

/** Gifts that the user claimed or got by a link, and those bought with the account's confirmed address. */
async function readGifts(tx: Tx, userId: string) {
  const shared = { months: gift.months, message: gift.message, claimedAt: gift.claimedAt }
  const received = await tx
    .select({ ...shared, from: gift.giverName, outcome: gift.outcome, accessUntil: gift.accessUntil })
    .from(gift)
    .where(eq(gift.claimedBy, userId))
  const given = await tx
    .select({
      ...shared,
      to: gift.recipientName,
      address: gift.recipientEmail,
      deliverOn: gift.deliverOn,
      paidAt: gift.paidAt,
      amountCents: gift.amountCents,
      refundedCents: gift.refundedCents,
      currency: gift.currency,
    })
    .from(gift)
    .innerJoin(users, eq(users.email, gift.giverEmail))
    .where(and(eq(users.id, userId), isNotNull(users.emailConfirmedAt), isNotNull(gift.paidAt)))
  const links = await tx
    .select({ months: giftLink.months, usedAt: giftLinkUse.usedAt, accessUntil: giftLinkUse.accessUntil })
    .from(giftLinkUse)
    .innerJoin(giftLink, eq(giftLink.id, giftLinkUse.linkId))
    .where(eq(giftLinkUse.userId, userId))
  return { received, given, links }
}

/** One run of the job: what is due, and what an interrupted request or a lost webhook left. Nothing after a restore. */
export async function workOnGifts(deps: GiftDeps): Promise<void> {
  if (await isOnHold(deps.database.db)) return
  await checkUnpaid(deps)
  await deliverGifts(deps)
  await remindRecipients(deps)
  await reportBounces(deps)
  await endUnclaimed(deps)
  await finishRefunds(deps)
  await finishCredits(deps)
}

export const oneTimePaymentJobOf = (deps: GiftDeps) =>
  defineJob({
    ...oneTimePaymentJob,
    run: async (event) => {
      const row = await findGiftOfEvent(deps, event)
      if (row) await syncGift(deps, row)
    },
  })

const giftsJobs = (deps: Deps): FeatureJobs =>
  scheduledJobs({ gifts: { cron: '*/5 * * * *', retryLimit: 1, run: () => workOnGifts(deps) } }, [
    oneTimePaymentJobOf(deps) as AnyJob,
  ])

/** Forgets who bought and who received. A gift that waits still arrives, without the giver's name. */
async function forgetGifts(tx: Tx, userId: string): Promise<void> {
  const [user] = await tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailConfirmedAt)))
  if (user?.email) {
    await tx.update(gift).set({ giverName: '', giverEmail: '' }).where(eq(gift.giverEmail, user.email))
  }
  await tx
    .update(gift)
    .set({ claimedBy: null, recipientName: '', recipientEmail: '', message: '' })
    .where(eq(gift.claimedBy, userId))
}

export const giftsFeature: Feature = {
  calls: giftsCalls,
  jobs: giftsJobs,
  enqueuedEarly: [oneTimePaymentJob],
  onAccountDeleted: forgetGifts,
  exportedData,
}
