import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { type AnyJob, defineJob, type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import { resumeDueMoves } from './price-moves/price-moves.ts'
import { syncPlans, syncPlansJob } from './sync-plans.ts'

export const planJobs = (deps: BillingDeps): FeatureJobs =>
  scheduledJobs({ 'resume-price-moves': { cron: '27 * * * *', retryLimit: 1, run: () => resumeDueMoves(deps) } }, [
    defineJob({ ...syncPlansJob, run: (change) => syncPlans(deps, change) }) as AnyJob,
  ])
