import { type SubmitEvent, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import type { StaffMember } from '#shared/contracts/identity/staff.ts'
import { RoleField } from './role-field.tsx'
import { useChangeStaffRole } from './staff.api.ts'

type RoleDialogProps = { person: StaffMember; isYou: boolean; onClose: () => void }

export function RoleDialog({ person: { userId, email, role }, isYou, onClose }: RoleDialogProps) {
  const [to, setTo] = useState(role)
  const change = useChangeStaffRole()
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onClose()
    if (to !== role) change.mutate({ userId, from: role, to })
  }
  return (
    <Dialog title={isYou ? 'Change your role' : `Change the role of ${email}`} onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5 [overflow-wrap:anywhere]">
        <RoleField label="Role" value={to} onChange={setTo} />
        <p className="text-sm text-muted">It counts from the next click on, also while they’re working.</p>
        <div className="flex flex-wrap gap-3">
          <Button type="submit">Change role</Button>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
