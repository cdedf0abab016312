import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import type { OpenAssignments } from '#shared/contracts/reader/item-marks.ts'
import { daysUntil, dueWords } from '#shared/domain/due-day.ts'
import { today } from './today.ts'

const shownDays = 7

/** True within a week before the due date, after it, and in the week after something was assigned. */
export const isLineShown = ({ next: { dueOn, assignedAt } }: OpenAssignments): boolean =>
  daysUntil(today(), assignedAt.slice(0, 10)) <= shownDays || (dueOn !== null && daysUntil(dueOn, today()) <= shownDays)

/** One line that leads to what the reader's team wants them to do. */
export function DueLine({ open: { count, next } }: { open: OpenAssignments }) {
  return (
    <Link
      to="/portal/assignments"
      className="group flex min-h-12 min-w-0 grow items-center gap-3 py-2 text-sm leading-snug"
    >
      <span className="min-w-0 grow [overflow-wrap:anywhere]">
        <span className="font-semibold">For you{next.dueOn && `, ${dueWords(next.dueOn, today())}`}:</span>{' '}
        <span className="group-hover:text-primary group-hover:underline group-hover:underline-offset-4">
          {next.title}
        </span>
        {count > 1 && <span className="text-muted"> and {count - 1} more</span>}
      </span>
      <ArrowRight aria-hidden className="size-4.5 shrink-0 text-primary" strokeWidth={1.75} />
    </Link>
  )
}
