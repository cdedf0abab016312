import { type SubmitEvent, useState } from 'react'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminRemoveStaffCall,
  adminSuspendStaffCall,
  adminTransferOwnershipCall,
  type StaffMember,
} from '#shared/contracts/identity/staff.ts'
import { type StaffRole, staffRoleLabels } from '#shared/domain/staff-roles.ts'
import { RoleField } from './role-field.tsx'
import { useChangeStaffRole } from './staff.api.ts'

/** Makes someone an owner, beside the caller or instead of them. */
function TransferDialog({ person, onClose }: { person: StaffMember; onClose: () => void }) {
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

type RoleDialogProps = { person: StaffMember; isYou: boolean; onClose: () => void }

function RoleDialog({ person: { userId, email, role }, isYou, onClose }: RoleDialogProps) {
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

type StaffRowProps = { person: StaffMember; isYou: boolean; requiresSecondFactor: boolean }

/** A person on the staff, with what an owner can change about them. */
export function StaffRow({ person, isYou, requiresSecondFactor }: StaffRowProps) {
  const { email, name, role, status, lastSeenAt, hasSecondFactor, isInAdminEmails } = person
  const [dialog, setDialog] = useState<'role' | 'suspend' | 'remove' | 'transfer' | null>(null)
  const suspend = useChange(adminSuspendStaffCall, { failure: 'Nothing changed' })
  const remove = useChange(adminRemoveStaffCall, { done: 'Removed from the staff', failure: 'Nothing changed' })
  const close = () => setDialog(null)
  const action = (label: string, onClick: () => void, isPending = false) => (
    <Button variant="secondary" size="sm" aria-label={`${label}: ${email}`} pending={isPending} onClick={onClick}>
      {label}
    </Button>
  )
  return (
    <li className="grid gap-x-8 gap-y-2 py-3.5 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-start">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-semibold [overflow-wrap:anywhere]">{name ?? email}</span>
          <Tag tone={role === 'owner' ? 'primary' : 'plain'}>{staffRoleLabels[role].name}</Tag>
          {isYou && <Tag>You</Tag>}
          {status === 'suspended' && <Tag tone="danger">Suspended</Tag>}
          {status === 'disabled' && <Tag tone="danger">Account disabled</Tag>}
        </p>
        {name && <p className="text-sm text-muted [overflow-wrap:anywhere]">{email}</p>}
        <p className="text-sm text-muted">
          {lastSeenAt ? (
            <>
              Last seen <Timestamp at={lastSeenAt} inline />
            </>
          ) : (
            'Never signed in'
          )}
          {' · '}
          {hasSecondFactor ? 'Two-step verification on' : 'Two-step verification off'}
        </p>
        {!hasSecondFactor && requiresSecondFactor && (
          <p className="text-sm text-danger">Can’t open the admin until two-step verification is set up.</p>
        )}
        {isInAdminEmails && (
          <p className="text-sm text-muted">
            In ADMIN_EMAILS: confirming the address makes this person an owner again, unless suspended.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {status !== 'suspended' && action('Change role', () => setDialog('role'))}
        {!isYou && role !== 'owner' && status === 'active' && action('Make owner', () => setDialog('transfer'))}
        {!isYou && status === 'active' && action('Suspend', () => setDialog('suspend'), suspend.isPending)}
        {status === 'suspended' &&
          action('Reactivate', () => suspend.mutate({ userId: person.userId, suspended: false }), suspend.isPending)}
        {action('Remove', () => setDialog('remove'), remove.isPending)}
      </div>
      {dialog === 'role' && <RoleDialog person={person} isYou={isYou} onClose={close} />}
      {dialog === 'transfer' && <TransferDialog person={person} onClose={close} />}
      {dialog === 'suspend' && (
        <ConfirmDialog
          title={`Suspend ${email}?`}
          action="Suspend"
          keep="Cancel"
          onConfirm={() => suspend.mutate({ userId: person.userId, suspended: true })}
          onClose={close}
        >
          They lose access to the admin at once, and get an email. Their account and its role are kept, so you can
          reactivate them anytime.
        </ConfirmDialog>
      )}
      {dialog === 'remove' && (
        <ConfirmDialog
          title={isYou ? 'Leave the staff?' : `Remove ${email} from the staff?`}
          action={isYou ? 'Leave' : 'Remove'}
          keep="Cancel"
          onConfirm={() => remove.mutate({ userId: person.userId })}
          onClose={close}
        >
          {isYou ? 'You lose' : 'They lose'} access to the admin at once. The account stays, and what it changed stays
          in the log.
        </ConfirmDialog>
      )}
    </li>
  )
}
