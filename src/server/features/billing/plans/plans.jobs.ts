import { z } from 'zod'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { type AnyJob, defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { resumeDueMoves } from './price-moves/price-moves.ts'
import { syncPlans, syncPlansJob } from './sync-plans.ts'

const dueMovesName = 'resume-price-moves'

export const planJobs = (deps: BillingDeps): FeatureJobs => ({
  jobs: [
    defineJob({ ...syncPlansJob, run: (change) => syncPlans(deps, change) }),
    defineJob({
      name: dueMovesName,
      // The schedule has no payload.
      payload: z.unknown(),
      retryLimit: 1,
      run: () => resumeDueMoves(deps),
    }),
  ] as AnyJob[],
  schedules: [{ job: dueMovesName, cron: '27 * * * *' }],
})
