import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Link } from 'react-router'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { Assignment } from '#shared/contracts/assignments.ts'
import { isOverdue } from '#shared/domain/assignments.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { checkOff, useRemoveAssignment } from './assignments.api.ts'

/** The reader's day, "2026-11-22". */
const today = () => {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

type AssignmentListProps = {
  label: string
  assignments: readonly Assignment[]
  /** The reader's email address. */
  you: string
}

/** Rows to check off, set like a checklist on paper. */
export function AssignmentList({ label, assignments, you }: AssignmentListProps) {
  return (
    <ul aria-label={label} className="divide-y divide-line border-t border-line">
      {assignments.map((assignment) => (
        <AssignmentRow key={assignment.assignmentId} assignment={assignment} you={you} />
      ))}
    </ul>
  )
}

type RowProps = { assignment: Assignment; you: string }

function AssignmentRow({ assignment, you }: RowProps) {
  const client = useQueryClient()
  const remove = useRemoveAssignment()
  const { assignmentId, title, path, parentTitle, note, done, canCheckOff, canRemove } = assignment
  return (
    <li className="flex gap-2 py-3">
      <label className="-ml-2.5 grid size-11 shrink-0 place-items-center">
        <input
          type="checkbox"
          className="size-6"
          aria-label={`Done: ${title}`}
          checked={done}
          disabled={!canCheckOff}
          onChange={({ target }) => checkOff(client, assignment, target.checked)}
        />
      </label>
      <div className="min-w-0 grow py-1.5">
        <p className={clsx('font-semibold [overflow-wrap:anywhere]', done && 'text-muted line-through')}>
          {path ? (
            <Link to={path} className="hover:text-primary">
              {title}
            </Link>
          ) : (
            <>
              {title} <Tag>No longer available</Tag>
            </>
          )}
        </p>
        {parentTitle && <p className="text-sm text-muted">{parentTitle}</p>}
        {note && <p className="mt-1 measure whitespace-pre-line [overflow-wrap:anywhere]">{note}</p>}
        <Facts assignment={assignment} you={you} />
        <InlineError>{formErrorMessage(remove.error)}</InlineError>
      </div>
      {canRemove && (
        <Button
          variant="quiet"
          size="sm"
          className="shrink-0 self-start"
          pending={remove.isPending}
          onClick={() => remove.mutate(assignmentId)}
        >
          Remove<span className="sr-only"> {title}</span>
        </Button>
      )}
    </li>
  )
}

function Facts({ assignment, you }: RowProps) {
  const { to, toName, hasLeft, isMine, dueOn, done, doneBy, createdBy } = assignment
  const gone = to === 'person' ? 'A former member' : 'A deleted location'
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
      <span className="[overflow-wrap:anywhere]">
        {isMine && to === 'person' ? 'For you' : `For ${toName || gone}`}
      </span>
      {hasLeft && <Tag tone="accent">Left the team</Tag>}
      {dueOn && (
        <span className={clsx(isOverdue(assignment, today()) && 'font-semibold text-danger')}>
          {isOverdue(assignment, today()) ? 'Was due ' : 'Due '}
          <time dateTime={dueOn}>{formatDay(dueOn)}</time>
        </span>
      )}
      {done && doneBy ? (
        <span>Done by {doneBy === you ? 'you' : doneBy}</span>
      ) : (
        createdBy && createdBy !== you && <span>From {createdBy}</span>
      )}
    </p>
  )
}
