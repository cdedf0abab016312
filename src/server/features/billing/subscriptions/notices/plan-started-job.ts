import { z } from 'zod'

/** Enqueued when a plan starts. Handled in `onboarding/send-plan-started.ts`, since its email recommends drops. */
export const planStartedJob = {
  name: 'plan-started',
  payload: z.object({
    userId: z.uuid(),
    subscriptionId: z.string().min(1).max(255),
    /** True if the user had a plan before. */
    isReturning: z.boolean(),
  }),
  retryLimit: 5,
}
