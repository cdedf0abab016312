import { type SubmitEvent, useState } from 'react'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { adminTransferOwnershipCall, type StaffMember } from '#shared/contracts/identity/staff.ts'
import type { StaffRole } from '#shared/domain/staff-roles.ts'
import { RoleField } from './role-field.tsx'
import { useChangeStaffRole } from './staff.api.ts'

/** Makes someone an owner, beside the caller or instead of them. */
export function TransferDialog({ person, onClose }: { person: StaffMember; onClose: () => void }) {
  const { userId, email, role } = person
  const [ownRole, setOwnRole] = useState<StaffRole>('owner')
  const transfer = useChange(adminTransferOwnershipCall, { done: 'Ownership transferred', failure: 'Nothing changed' })
  const change = useChangeStaffRole()
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onClose()
    if (ownRole === 'owner') change.mutate({ userId, from: role, to: 'owner' })
    else transfer.mutate({ userId, ownRole })
  }
  return (
    <Dialog title={`Make ${email} an owner?`} onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-2 grid gap-5 [overflow-wrap:anywhere]">
        <p className="text-muted">Owners can do everything, including removing you. It takes effect at once.</p>
        <RoleField label="Your role afterwards" value={ownRole} onChange={setOwnRole} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="danger">
            {ownRole === 'owner' ? 'Make owner' : 'Transfer ownership'}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
