import { z } from 'zod'
import { planKeys } from '#shared/domain/plans.ts'

/** Enqueued with the change of plan names. */
export const renamePlansJob = {
  name: 'rename-plans',
  payload: z.object({ plans: z.array(z.enum(planKeys)) }),
  // With exponential backoff this outlasts an outage.
  retryLimit: 20,
}
