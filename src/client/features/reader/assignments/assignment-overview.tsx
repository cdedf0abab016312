import type { Assignment } from '#shared/contracts/reader/assignments.ts'
import { countAssignments } from '#shared/domain/assignments.ts'
import { today } from './today.ts'

/** How far each person and location is with what was assigned to them. */
export function AssignmentOverview({ assignments }: { assignments: readonly Assignment[] }) {
  const groups = [...Map.groupBy(assignments, ({ to, toId }) => `${to}/${toId}`)]
  return (
    <ul aria-label="Progress" className="mb-6 divide-y divide-line border-y border-line">
      {groups.map(([key, list]) => {
        const { open, late, done } = countAssignments(list, today())
        return (
          <li key={key} className="flex flex-wrap justify-between gap-x-4 py-2.5 tabular-nums">
            <span className="min-w-0 font-medium [overflow-wrap:anywhere]">
              {list[0]?.toName || 'Someone who left'}
            </span>
            <span className="text-muted">
              {open} open{late > 0 && <span className="font-semibold text-danger">, {late} late</span>}, {done} done
            </span>
          </li>
        )
      })}
    </ul>
  )
}
