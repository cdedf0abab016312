import { z } from 'zod'
import { planKeySchema } from '#shared/contracts/billing/plan-key.ts'
import { defineCall } from '#shared/contracts/define-call.ts'
import { intervalUnits } from '#shared/domain/billing-interval.ts'

/** A plan as visitors see it: texts from `domain/plans.ts`, ids from the server's configuration. */
const planSchema = z.object({
  key: planKeySchema,
  name: z.string(),
  productId: z.string(),
  priceId: z.string(),
  priceText: z.string(),
  interval: z.enum(intervalUnits),
  /** Absent for 1. */
  intervalCount: z.number().int().optional(),
})
export type Plan = z.infer<typeof planSchema>

export const plansCall = defineCall({
  name: 'plans',
  audience: 'public',
  input: z.object({}),
  output: z.object({ plans: z.array(planSchema) }),
})
