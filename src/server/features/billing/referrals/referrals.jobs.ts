import { z } from 'zod'
import { isOnHold } from '#server/db/restore-hold.ts'
import type { Deps } from '#server/deps.ts'
import { type AnyJob, defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
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

export function referralsJobs(deps: Deps): FeatureJobs {
  const name = 'referrals'
  // The job runs again soon.
  const job = defineJob({ name, payload: z.unknown(), retryLimit: 1, run: () => workOnReferrals(deps) })
  return { jobs: [job] as AnyJob[], schedules: [{ job: name, cron: '* * * * *' }] }
}
