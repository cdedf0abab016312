import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import * as contracts from '#shared/contracts/billing/stripe-adoption.ts'
import {
  adoptionRun,
  cancelAdoption,
  deleteOldAdoptions,
  forgetListedAddress,
  mapPrice,
  readAdoption,
  startAdoption,
  startListing,
} from './adoptions.ts'
import { adoptionSteps } from './run-adoption.ts'

function stripeAdoptionCalls(deps: Deps): Implementation[] {
  const answer = async () => ({ adoption: await readAdoption(deps) })
  return [
    implement(contracts.adminStripeAdoptionCall, answer),
    implement(contracts.adminListStripeCall, async (_, who) => {
      await startListing(deps, who)
      return answer()
    }),
    implement(contracts.adminMapStripePriceCall, async (mapping, who) => {
      await mapPrice(deps, who, mapping)
      return answer()
    }),
    implement(contracts.adminAdoptStripeCall, async ({ id }, who) => {
      await startAdoption(deps, who, id)
      return answer()
    }),
    implement(contracts.adminCancelAdoptionCall, async ({ id }, who) => {
      await cancelAdoption(deps, who, id)
      return answer()
    }),
  ]
}

export const stripeAdoptionFeature: Feature = {
  calls: stripeAdoptionCalls,
  jobs: (deps) =>
    scheduledJobs({ 'stripe-adoption-maintenance': { cron: '23 * * * *', run: () => deleteOldAdoptions(deps) } }),
  runs: (deps) => [adoptionSteps(deps)],
  enqueuedEarly: [adoptionRun],
  onAccountDeleted: forgetListedAddress,
}
