import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { referral } from '#server/db/schema/index.ts'
import type { Deps, Feature, FeatureDeps, PersonReaders } from '#server/feature.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import * as contracts from '#shared/contracts/billing/referrals.ts'
import { settleFreeMonths } from './free-month.ts'
import { listReferrals, readOwnReferrals } from './list-referrals.ts'
import { acceptReferral, findReferrer, type ReferralDeps, saveReferralSettings } from './referrals.ts'
import { finishCredits, rewardReferrals } from './reward-referrals.ts'
import { restoreRewards, withdrawRewards } from './withdraw-rewards.ts'

function referralsCalls(deps: FeatureDeps): Implementation[] {
  const limits = createIpRateLimits(deps)
  return [
    implement(contracts.referralLinkCall, async ({ token }, _who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      await findReferrer(deps, token)
      return {}
    }),
    implement(contracts.acceptReferralCall, async ({ token }, who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      await acceptReferral(deps, who, token)
      return {}
    }),
    implement(contracts.ownReferralsCall, (_input, { userId }) => readOwnReferrals(deps, userId)),
    implement(contracts.adminReferralsCall, (_input, who) =>
      listReferrals(deps, { seesPeople: who.staffRole === 'owner' }),
    ),
    implement(contracts.adminSaveReferralSettingsCall, ({ settings, version }, who) =>
      saveReferralSettings(deps, { settings, basedOn: version }, who),
    ),
  ]
}

const exportedData: PersonReaders = { referrals: readReferrals }

/** The user's own referral and those of members whom they brought, without the other person. */
async function readReferrals(tx: Tx, userId: string) {
  const shared = { state: referral.state, createdAt: referral.createdAt, decidedAt: referral.decidedAt }
  const brought = await tx
    .select({ ...shared, cents: referral.referrerCents, currency: referral.referrerCurrency })
    .from(referral)
    .where(eq(referral.referrerId, userId))
  const own = await tx
    .select({ ...shared, reason: referral.reason, cents: referral.refereeCents, currency: referral.refereeCurrency })
    .from(referral)
    .where(eq(referral.refereeId, userId))
  return { brought, own }
}

/** One run of the job. Reads what the syncs with Stripe have written, so the order of webhooks doesn't matter. */
export async function workOnReferrals(deps: ReferralDeps): Promise<void> {
  if (await isOnHold(deps.database.db)) return
  await restoreRewards(deps)
  await rewardReferrals(deps)
  await withdrawRewards(deps)
  await finishCredits(deps)
  await settleFreeMonths(deps)
}

const referralsJobs = (deps: Deps): FeatureJobs =>
  scheduledJobs({ referrals: { cron: '* * * * *', retryLimit: 1, run: () => workOnReferrals(deps) } })

export const referralsFeature: Feature = {
  calls: referralsCalls,
  jobs: referralsJobs,
  exportedData,
}
