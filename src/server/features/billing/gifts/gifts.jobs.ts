import { isOnHold } from '#server/db/restore-hold.ts'
import type { Deps } from '#server/deps.ts'
import { oneTimePaymentJob } from '#server/features/billing/subscriptions/webhooks/one-time-payment-job.ts'
import { type AnyJob, defineJob, type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import { deliverGifts, remindRecipients } from './deliver-gifts.ts'
import { checkUnpaid, endUnclaimed, reportBounces } from './expire-gifts.ts'
import { finishCredits } from './gift-credit.ts'
import type { GiftDeps } from './gift-links.ts'
import { finishRefunds } from './refund-gift.ts'
import { findGiftOfEvent, syncGift } from './sync-gift.ts'

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

export const giftsJobs = (deps: Deps): FeatureJobs =>
  scheduledJobs({ gifts: { cron: '*/5 * * * *', retryLimit: 1, run: () => workOnGifts(deps) } }, [
    oneTimePaymentJobOf(deps) as AnyJob,
  ])
