import type { PlanTerms } from '#shared/domain/plans.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'

/** The plans of a new database. */
export const planKeys = ['pro_monthly', 'pro_yearly', 'team_monthly'] as const

export const plans = Object.fromEntries(publicationDefaults.plans.map((plan) => [plan.key, plan])) as Record<
  (typeof planKeys)[number],
  PlanTerms
>

export type PlanKey = (typeof planKeys)[number]
