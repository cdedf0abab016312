import { desc, eq } from 'drizzle-orm'
import { priceMove, priceMoveMember } from '#server/db/schema/index.ts'
import type { Deps, Feature, PersonReaders } from '#server/feature.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { type AnyJob, defineJob, type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import * as adminPlansContracts from '#shared/contracts/billing/admin-plans.ts'
import {
  adminCancelPriceMoveCall,
  adminPriceMoveCall,
  adminStartPriceMoveCall,
  usualNoticeDays,
} from '#shared/contracts/billing/price-moves.ts'
import { orderPlans, retirePlan, savePlan, syncPlans, syncPlansJob } from './change-plans.ts'
import { listStoredPlans, saveTaxSettings } from './list-plans.ts'
import { cancelPriceMove, priceMoveRun, resumeDueMoves, startPriceMove } from './price-moves/price-moves.ts'
import { readPriceMove } from './price-moves/read-price-move.ts'
import { priceMoveSteps } from './price-moves/run-price-move.ts'

/** The plans that are sold, as owners edit them. */
function plansCalls(deps: Deps): Implementation[] {
  return [
    implement(adminPlansContracts.adminPlansCall, () => listStoredPlans(deps)),
    implement(adminPlansContracts.adminSavePlanCall, async (given, who) => {
      await savePlan(deps, who, given)
      return listStoredPlans(deps)
    }),
    implement(adminPlansContracts.adminRetirePlanCall, async (change, who) => {
      await retirePlan(deps, who, change)
      return listStoredPlans(deps)
    }),
    implement(adminPlansContracts.adminOrderPlansCall, async ({ keys }, who) => {
      await orderPlans(deps, who, keys)
      return listStoredPlans(deps)
    }),
    implement(adminPlansContracts.adminSaveTaxSettingsCall, async ({ settings, version }, who) => {
      await saveTaxSettings(deps, { settings, basedOn: version }, who)
      return listStoredPlans(deps)
    }),
    implement(adminPriceMoveCall, (input) => readPriceMove(deps, input)),
    implement(adminStartPriceMoveCall, async (start, who) => {
      await startPriceMove(deps, who, start)
      return readPriceMove(deps, start)
    }),
    implement(adminCancelPriceMoveCall, async ({ id }, who) => {
      const { plan } = await cancelPriceMove(deps, who, id)
      return readPriceMove(deps, { plan, noticeDays: usualNoticeDays })
    }),
  ]
}

const exportedData: PersonReaders = {
  priceChanges: (tx, userId) =>
    tx
      .select({
        stripeSubscriptionId: priceMoveMember.subscriptionId,
        plan: priceMove.plan,
        oldCents: priceMoveMember.oldCents,
        newCents: priceMoveMember.newCents,
        currency: priceMove.currency,
        effectiveAt: priceMoveMember.effectiveAt,
        state: priceMoveMember.state,
      })
      .from(priceMoveMember)
      .innerJoin(priceMove, eq(priceMove.id, priceMoveMember.moveId))
      .where(eq(priceMoveMember.userId, userId))
      .orderBy(desc(priceMoveMember.effectiveAt)),
}

const planJobs = (deps: BillingDeps): FeatureJobs =>
  scheduledJobs({ 'resume-price-moves': { cron: '27 * * * *', retryLimit: 1, run: () => resumeDueMoves(deps) } }, [
    defineJob({ ...syncPlansJob, run: (change) => syncPlans(deps, change) }) as AnyJob,
  ])

export const plansFeature: Feature = {
  calls: plansCalls,
  jobs: planJobs,
  runs: (deps) => [priceMoveSteps(deps)],
  enqueuedEarly: [priceMoveRun],
  exportedData,
}
