import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminAdoptStripeCall,
  adminCancelAdoptionCall,
  adminListStripeCall,
  adminMapStripePriceCall,
  adminStripeAdoptionCall,
} from '#shared/contracts/billing/stripe-adoption.ts'
import { cancelAdoption, mapPrice, readAdoption, startAdoption, startListing } from './adoptions.ts'

export function stripeAdoptionCalls(deps: Deps): Implementation[] {
  const answer = async () => ({ adoption: await readAdoption(deps) })
  return [
    implement(adminStripeAdoptionCall, answer),
    implement(adminListStripeCall, async (_, who) => {
      await startListing(deps, who)
      return answer()
    }),
    implement(adminMapStripePriceCall, async (mapping, who) => {
      await mapPrice(deps, who, mapping)
      return answer()
    }),
    implement(adminAdoptStripeCall, async ({ id }, who) => {
      await startAdoption(deps, who, id)
      return answer()
    }),
    implement(adminCancelAdoptionCall, async ({ id }, who) => {
      await cancelAdoption(deps, who, id)
      return answer()
    }),
  ]
}
