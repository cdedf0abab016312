import type { Deps, Feature } from '#server/feature.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/billing/offers.ts'
import { createOffer, endOffer, listOffers, readPublicOffer } from './offers.ts'

/** Offers: discounts for new plans, with a code and a link. */
export function offersCalls(deps: Deps): Implementation[] {
  const limits = createIpRateLimits(deps)
  return [
    implement(contracts.offerCall, async ({ code }, _who, { clientAddress }) => {
      // Against guessing codes.
      await limits.consume('offer', clientAddress)
      return { offer: await readPublicOffer(deps, code) }
    }),
    implement(contracts.adminOffersCall, (_input, who) => listOffers(deps, { seesCodes: who.staffRole === 'owner' })),
    implement(contracts.adminCreateOfferCall, (given, who) => createOffer(deps, who, given)),
    implement(contracts.adminEndOfferCall, ({ id }, who) => endOffer(deps, who, id)),
  ]
}

export const offersFeature: Feature = {
  calls: offersCalls,
}
