import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { Link } from 'react-router'
import { toast } from '#client/lib/toast.ts'
import { Choice } from '#client/ui/choice.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions } from '#client/ui/form.tsx'
import { LoadError, LoadingPlaceholder, Skeleton } from '#client/ui/loading.tsx'
import type { Assignment, TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { AssignmentFields, readAssignmentFields, readTargets } from './assignment-fields.tsx'
import { collectForTeam, teamAssignmentsQuery, useAssign } from './assignments.api.ts'

type AssignDialogProps = { item: ItemRef & { title: string }; onClose: () => void }

/** Assigns an item to a person or a location, with a date and a note. */
export default function AssignDialog({ item, onClose }: AssignDialogProps) {
  const team = useQuery(teamAssignmentsQuery)
  return (
    <Dialog title="Assign" onClose={onClose}>
      <p className="mt-1 text-muted [overflow-wrap:anywhere]">{item.title}</p>
      {team.data ? (
        <AssignForm item={item} team={team.data} onClose={onClose} />
      ) : team.isPending ? (
        <LoadingPlaceholder>
          <Skeleton className="mt-5 h-72" />
        </LoadingPlaceholder>
      ) : team.isError ? (
        <LoadError what="your team" query={team} />
      ) : (
        <p className="mt-5">You aren’t on a team with an active plan anymore.</p>
      )}
    </Dialog>
  )
}

function AssignForm({ item, team, onClose }: AssignDialogProps & { team: TeamAssignments }) {
  const client = useQueryClient()
  const assign = useAssign()
  /** By place in the list of targets, so that a repeated request assigns once. */
  const [ids] = useState<string[]>([])
  const { people, locations, assignments, collection } = team
  const isThis = ({ kind, id }: Pick<Assignment, 'kind' | 'id'>) => kind === item.kind && id === item.id
  const open = assignments.filter((assignment) => isThis(assignment) && !assignment.done)

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (assign.isPending) return
    const { to: _, ...fields } = readAssignmentFields(event.currentTarget)
    const to = readTargets(event.currentTarget, people).map((target, index) => {
      ids[index] ??= crypto.randomUUID()
      return { assignmentId: ids[index], to: target }
    })
    if (to.length === 0) return
    assign.mutate(
      { item: { kind: item.kind, id: item.id }, to, ...fields },
      {
        onSuccess: () => {
          toast.success('Assigned', { id: 'assigned' })
          onClose()
        },
      },
    )
  }

  return (
    <>
      <form onSubmit={handleSubmit} className="mt-5 grid gap-4">
        <AssignmentFields people={people} locations={locations} />
        {open.length > 0 && (
          <p className="text-sm text-muted">
            Already open for {open.map(({ toName }) => toName || 'someone who left').join(', ')}.{' '}
            <Link to="/portal/assignments" className="text-link">
              See assignments
            </Link>
          </p>
        )}
        <FormActions action="Assign" change={assign} onCancel={onClose} />
      </form>
      <div className="mt-6 border-t border-line pt-5">
        <Choice
          type="checkbox"
          label="In the team’s collection"
          description="Everyone on the team sees it there."
          checked={collection.some(isThis)}
          onChange={({ target }) => collectForTeam(client, item, target.checked)}
        />
      </div>
    </>
  )
}
