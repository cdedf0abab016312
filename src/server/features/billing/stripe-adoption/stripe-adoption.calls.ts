import type { Deps } from '#server/deps.ts'
import { actorOf } from '#server/features/identity/auth/security/admin-event.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
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
    implement(adminListStripeCall, async (_, who, request) => {
      await startListing(deps, actorOf(who, request))
      return answer()
    }),
    implement(adminMapStripePriceCall, async (mapping, who, request) => {
      await requireStepUp(deps, who)
      await mapPrice(deps, actorOf(who, request), mapping)
      return answer()
    }),
    implement(adminAdoptStripeCall, async ({ id }, who, request) => {
      await requireStepUp(deps, who)
      await startAdoption(deps, actorOf(who, request), id)
      return answer()
    }),
    implement(adminCancelAdoptionCall, async ({ id }, who, request) => {
      await cancelAdoption(deps, actorOf(who, request), id)
      return answer()
    }),
  ]
}
