import { isOnHold } from '#server/db/restore-hold.ts'
import type { Deps } from '#server/deps.ts'
import { type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import type { ReferralDeps } from './referral-settings.ts'
import { finishCredits, rewardReferrals } from './reward-referrals.ts'
import { restoreRewards, withdrawRewards } from './withdraw-rewards.ts'

/** One run of the job. Reads what the syncs with Stripe have written, so the order of webhooks doesn't matter. */
export async function workOnReferrals(deps: ReferralDeps): Promise<void> {
  if (await isOnHold(deps.database.db)) return
  await restoreRewards(deps)
  await rewardReferrals(deps)
  await withdrawRewards(deps)
  await finishCredits(deps)
}

export const referralsJobs = (deps: Deps): FeatureJobs =>
  scheduledJobs({ referrals: { cron: '* * * * *', retryLimit: 1, run: () => workOnReferrals(deps) } })
