import type { FeatureDeps } from '#server/feature.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  acceptReferralCall,
  adminReferralsCall,
  adminSaveReferralSettingsCall,
  ownReferralsCall,
  referralLinkCall,
} from '#shared/contracts/billing/referrals.ts'
import { acceptReferral } from './accept-referral.ts'
import { listReferrals, readOwnReferrals } from './list-referrals.ts'
import { findReferrer } from './referral-link.ts'
import { saveReferralSettings } from './referral-settings.ts'

export function referralsCalls(deps: FeatureDeps): Implementation[] {
  const limits = createIpRateLimits(deps)
  return [
    implement(referralLinkCall, async ({ token }, _who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      await findReferrer(deps, token)
      return {}
    }),
    implement(acceptReferralCall, async ({ token }, who, { clientAddress }) => {
      await limits.consume('offer', clientAddress)
      await acceptReferral(deps, who, token)
      return {}
    }),
    implement(ownReferralsCall, (_input, { userId }) => readOwnReferrals(deps, userId)),
    implement(adminReferralsCall, (_input, who) => listReferrals(deps, { seesPeople: who.staffRole === 'owner' })),
    implement(adminSaveReferralSettingsCall, async ({ settings, version }, who) => {
      await saveReferralSettings(deps, { settings, basedOn: version }, who)
      return {}
    }),
  ]
}
