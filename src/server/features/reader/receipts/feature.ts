import type { Deps, Feature } from '#server/feature.ts'
import { takeFreeMonth } from '#server/features/billing/referrals/free-month.ts'
import { renewalNoticeJob } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { implement } from '#server/http/product-calls.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { saveStoreMoneyCall, storeReceiptCall, takeFreeMonthCall } from '#shared/contracts/reader/receipts.ts'
import { readReceipt, saveStoreMoney, sendRenewalNotice } from './receipts.ts'

const receiptsJobs = (deps: Deps): FeatureJobs => ({
  jobs: [
    defineJob({
      ...renewalNoticeJob,
      run: (notice) => deps.database.db.transaction((tx) => sendRenewalNotice(tx, deps, notice)),
    }),
  ],
  schedules: [],
})

export const receiptsFeature: Feature = {
  calls: (deps) => [
    implement(storeReceiptCall, ({ month }, who) => readReceipt(deps, deps.database.db, who.userId, month)),
    implement(saveStoreMoneyCall, (input, who) => saveStoreMoney(deps, who.userId, input)),
    implement(takeFreeMonthCall, (_input, who) => takeFreeMonth(deps, who)),
  ],
  jobs: receiptsJobs,
}
