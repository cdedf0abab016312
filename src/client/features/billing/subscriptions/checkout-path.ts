import { publication } from '#client/lib/publication.ts'
import { everythingOnSale, type PlanKey } from '#shared/domain/plans.ts'

const prefix = '/checkout/'

/** The page that starts checkout for a plan, opened after sign-up or sign-in. */
export const checkoutPath = (plan: PlanKey) => `${prefix}${plan}`

export const asPlanKey = (value: unknown): PlanKey | null =>
  everythingOnSale(publication).find(({ key }) => key === value)?.key ?? null

/** The plan of a checkout path; null for any other path. */
export const planOfPath = (path: string): PlanKey | null =>
  path.startsWith(prefix) ? asPlanKey(path.slice(prefix.length)) : null
