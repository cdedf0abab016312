import { z } from 'zod'

/**
 * Asked for when a plan starts. What the email recommends comes from features above this one, so the job is done in
 * `onboarding/send-plan-started.ts`.
 */
export const planStartedJob = {
  name: 'plan-started',
  payload: z.object({
    userId: z.uuid(),
    subscriptionId: z.string().min(1).max(255),
    /** They had a plan before. */
    isReturning: z.boolean(),
  }),
  retryLimit: 5,
}
