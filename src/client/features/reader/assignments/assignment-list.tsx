import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '#client/ui/button.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { Assignment, TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import { isOverdue } from '#shared/domain/assignments.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { checkOff, type Removable } from './assignments.api.ts'
import { today } from './today.ts'

const EditDialog = lazy(() => import('./edit-dialog.tsx'))

type AssignmentListProps = Pick<RowProps, 'team' | 'removable'> & { label: string; assignments: readonly Assignment[] }

/** Rows to check off, set like a checklist on paper. */
export function AssignmentList({ label, assignments, ...rest }: AssignmentListProps) {
  return (
    <ul aria-label={label} className="divide-y divide-line border-t border-line">
      {assignments.map((assignment) => (
        <AssignmentRow key={assignment.assignmentId} assignment={assignment} {...rest} />
      ))}
    </ul>
  )
}

type RowProps = {
  assignment: Assignment
  team: Pick<TeamAssignments, 'people' | 'locations'>
  removable: Pick<Removable, 'isRemoved' | 'remove' | 'restore'>
}

function AssignmentRow({ assignment, team, removable }: RowProps) {
  const client = useQueryClient()
  const { title, path, parentTitle, note, done, canCheckOff, canEdit } = assignment
  const isRemoved = removable.isRemoved(assignment)
  return (
    <li className="flex flex-wrap gap-x-2 py-3 sm:flex-nowrap">
      <label className="-ml-2.5 grid size-11 shrink-0 place-items-center">
        <input
          type="checkbox"
          className="size-6"
          aria-label={`Done: ${title}`}
          checked={done}
          disabled={!canCheckOff || isRemoved}
          onChange={({ target }) => checkOff(client, assignment, target.checked)}
        />
      </label>
      <div className={clsx('min-w-0 flex-1 py-1.5', isRemoved && 'text-muted')}>
        <p className={clsx('font-semibold [overflow-wrap:anywhere]', (done || isRemoved) && 'text-muted line-through')}>
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
        <Facts assignment={assignment} team={team} />
      </div>
      {canEdit && <RowActions assignment={assignment} team={team} removable={removable} />}
    </li>
  )
}

/** Below the text on a phone, beside it on wider screens. */
function RowActions({ assignment, team, removable }: RowProps) {
  const [isEditing, setIsEditing] = useState(false)
  const { title, done } = assignment
  const isRemoved = removable.isRemoved(assignment)
  return (
    <div className="flex items-start max-sm:w-full max-sm:pl-7">
      {!done && !isRemoved && (
        <Button variant="quiet" size="sm" onClick={() => setIsEditing(true)}>
          Edit<span className="sr-only"> {title}</span>
        </Button>
      )}
      {/* The same button, so that it keeps the focus. */}
      <Button
        key="remove"
        variant="quiet"
        size="sm"
        onClick={() => (isRemoved ? removable.restore(assignment) : removable.remove(assignment))}
      >
        {isRemoved ? 'Undo' : 'Remove'}
        <span className="sr-only">
          {isRemoved && ' removing'} {title}
        </span>
      </Button>
      {isEditing && (
        <Suspense fallback={null}>
          <EditDialog
            assignment={assignment}
            people={team.people}
            locations={team.locations}
            onClose={() => setIsEditing(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

function Facts({ assignment, team }: Pick<RowProps, 'assignment' | 'team'>) {
  const you = team.people.find(({ isYou }) => isYou)?.email
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
