import { type PlanKey, planKeys } from '#shared/domain/plans.ts'

const prefix = '/checkout/'

/** The page that leads on to the checkout of a plan: where a visitor who chose one goes after signing up or in. */
export const checkoutPath = (plan: PlanKey) => `${prefix}${plan}`

export const asPlanKey = (value: unknown): PlanKey | null => planKeys.find((key) => key === value) ?? null

/** The plan that a way back leads to, if it leads to a checkout. */
export const planOfPath = (path: string): PlanKey | null =>
  path.startsWith(prefix) ? asPlanKey(path.slice(prefix.length)) : null
