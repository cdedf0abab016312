import { publication } from '#client/lib/publication.ts'
import { formatList } from '#shared/domain/format.ts'
import { isForTeam, type PlanKey, planOf } from '#shared/domain/plans.ts'

/**
 * "ana@… and ben@… lose access", when a team owner cancels (`to` is null) or switches to a plan for one person. Null
 * when no one loses access. `members` is null while unknown.
 */
export function describeLostAccess(
  members: readonly string[] | null,
  from: PlanKey | null,
  to: PlanKey | null,
): string | null {
  // A plan for fewer people is refused while the team is larger.
  if (!from || !isForTeam(planOf(publication, from)) || (to && isForTeam(planOf(publication, to)))) return null
  if (members === null) return 'Everyone else on your team loses access'
  if (members.length === 0) return null
  return `${formatList(members)} ${members.length === 1 ? 'loses' : 'lose'} access`
}
