import { useQueryClient } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions } from '#client/ui/form.tsx'
import type { Assignment, TeamAssignments } from '#shared/contracts/reader/assignments.ts'
import { AssignmentFields, readAssignmentFields } from './assignment-fields.tsx'
import { editAssignment } from './assignments.api.ts'

type EditDialogProps = Pick<TeamAssignments, 'people' | 'locations'> & { assignment: Assignment; onClose: () => void }

/** Changes person or location, date and note of an assignment, also offline. */
export default function EditDialog({ assignment, people, locations, onClose }: EditDialogProps) {
  const client = useQueryClient()
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    editAssignment(client, assignment, readAssignmentFields(event.currentTarget))
    onClose()
  }
  return (
    <Dialog title="Edit assignment" onClose={onClose}>
      <p className="mt-1 text-muted [overflow-wrap:anywhere]">{assignment.title}</p>
      <form onSubmit={handleSubmit} className="mt-5 grid gap-4">
        <AssignmentFields people={people} locations={locations} assignment={assignment} />
        <FormActions action="Save changes" onCancel={onClose} />
      </form>
    </Dialog>
  )
}
