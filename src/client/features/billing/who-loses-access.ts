import { formatList } from '#shared/domain/format.ts'
import { type PlanKey, plans } from '#shared/domain/plans.ts'

/**
 * "ana@… and ben@… lose access": the people on a team whose owner cancels (`to` is null) or moves to a plan with fewer
 * seats. Null if nobody does.
 */
export function whoLosesAccess(
  members: readonly string[] | null,
  from: PlanKey | null,
  to: PlanKey | null,
): string | null {
  const seatsBefore = from ? plans[from].seats : 1
  if (seatsBefore <= (to ? plans[to].seats : 1)) return null
  if (members === null) return 'Everyone else on your team loses access'
  if (members.length === 0) return null
  return `${formatList(members)} ${members.length === 1 ? 'loses' : 'lose'} access`
}
