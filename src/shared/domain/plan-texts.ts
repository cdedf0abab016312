import type { PlanTerms } from './plans.ts'

/** Who can use the plan. Its note is the publisher's, so it doesn't say whether the owner is one of them. */
export const peopleText = ({ seats }: Pick<PlanTerms, 'seats'>): string =>
  seats === 1 ? 'For one person' : `${seats} people, including you`
