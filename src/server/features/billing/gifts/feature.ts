import type { Feature } from '#server/feature.ts'
import { oneTimePaymentJob } from '#server/features/billing/subscriptions/webhooks/one-time-payment-job.ts'
import { exportedData } from './exported-data.ts'
import { giftsCalls } from './gifts.calls.ts'
import { giftsJobs } from './gifts.jobs.ts'
import { forgetGifts } from './on-account-deleted.ts'

export const giftsFeature: Feature = {
  calls: giftsCalls,
  jobs: giftsJobs,
  enqueuedEarly: [oneTimePaymentJob],
  onAccountDeleted: forgetGifts,
  exportedData,
}
