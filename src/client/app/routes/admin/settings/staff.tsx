import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { staffQuery } from '#client/features/identity/staff/staff.api.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { useSession } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog, Dialog } from '#client/ui/dialog.tsx'
import { FormError, InlineError, SelectField, TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading, Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminChangeStaffRoleCall,
  adminInviteStaffCall,
  adminRemoveStaffCall,
  adminRevokeStaffInvitationCall,
  adminSuspendStaffCall,
  adminTransferOwnershipCall,
  type StaffInvitation,
  type StaffMember,
} from '#shared/contracts/identity/staff.ts'
import { type StaffRole, staffRoleLabels, staffRoles } from '#shared/domain/staff-roles.ts'

export function Component() {
  const { user } = useSession()
  return (
    <>
      <PageHeading title="Staff" />
      <div className="pt-6 sm:pt-8">
        <StaffPage ownUserId={user?.id ?? ''} />
      </div>
    </>
  )
}

/** Who can open the admin, and what they may do there. For owners. */
function StaffPage({ ownUserId }: { ownUserId: string }) {
  const staff = useQuery(staffQuery)
  if (!staff.data) return <QueryPlaceholder query={staff} what="the staff" lines={5} height="h-16" />
  const { items, invitations, requiresSecondFactor } = staff.data
  return (
    <>
      <Section title="People" status={items.length === 1 ? '1 person' : `${items.length} people`}>
        <ul aria-label="People" className="divide-y divide-line border-t border-line">
          {items.map((person) => (
            <StaffRow
              key={person.userId}
              person={person}
              isYou={person.userId === ownUserId}
              requiresSecondFactor={requiresSecondFactor}
            />
          ))}
        </ul>
      </Section>
      <Section title="Invite someone" lede="The link works once, for this address only, and expires in seven days.">
        <InviteForm />
        {invitations.length > 0 && (
          <ul aria-label="Open invitations" className="mt-8 divide-y divide-line border-t border-line">
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} />
            ))}
          </ul>
        )}
      </Section>
      <Section title="What each role can do">
        <dl className="grid max-w-3xl gap-x-8 gap-y-3 sm:grid-cols-[7rem_minmax(0,1fr)]">
          {staffRoles.map((role) => (
            <div key={role} className="contents">
              <dt className="font-semibold max-sm:mt-1">{staffRoleLabels[role].name}</dt>
              <dd className="text-muted max-sm:-mt-2.5">{staffRoleLabels[role].can}.</dd>
            </div>
          ))}
        </dl>
        <p className="mt-5 max-w-[60ch] text-muted">
          A role doesn’t open the portal. Give staff a plan or complimentary access if they should read it as members
          do.
        </p>
      </Section>
    </>
  )
}

function InviteForm() {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<StaffRole>('editor')
  const invite = useChange(adminInviteStaffCall, { done: 'Invitation sent' })
  const handleSubmit = submitHandler(invite, () => invite.mutate({ email, role }, { onSuccess: () => setEmail('') }))
  return (
    <form onSubmit={handleSubmit} aria-label="Invite someone" className="grid max-w-3xl gap-5">
      <div className="grid items-start gap-5 md:grid-cols-2">
        <TextField
          label="Email address"
          type="email"
          required
          maxLength={320}
          autoComplete="off"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <RoleField label="Role" value={role} onChange={setRole} />
      </div>
      <FormError>{formErrorMessage(invite.error)}</FormError>
      <div>
        <Button type="submit" pending={invite.isPending}>
          Send invitation
        </Button>
      </div>
    </form>
  )
}

function InvitationRow({ invitation }: { invitation: StaffInvitation }) {
  const { id, email, role, invitedBy, expiresAt, isExpired } = invitation
  const revoke = useChange(adminRevokeStaffInvitationCall, {
    done: 'Invitation revoked',
    failure: 'We couldn’t revoke the invitation',
  })
  const resend = useChange(adminInviteStaffCall, { done: 'Invitation sent' })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-semibold [overflow-wrap:anywhere]">{email}</span>
          <Tag>{staffRoleLabels[role].name}</Tag>
          {isExpired && <Tag tone="danger">Expired</Tag>}
        </p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          Invited by {invitedBy}. {isExpired ? 'Expired' : 'Expires'} <Timestamp at={expiresAt} inline />
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Send again: ${email}`}
          pending={resend.isPending}
          onClick={() => resend.mutate({ email, role })}
        >
          Send again
        </Button>
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Revoke invitation: ${email}`}
          pending={revoke.isPending}
          onClick={() => revoke.mutate({ id })}
        >
          Revoke
        </Button>
      </div>
      <InlineError className="w-full">{formErrorMessage(resend.error)}</InlineError>
    </li>
  )
}

const roleMessages = { done: 'Role changed', failure: 'The role didn’t change' }

/** Makes someone an owner, beside the caller or instead of them. */
function TransferDialog({ person, onClose }: { person: StaffMember; onClose: () => void }) {
  const { userId, email, role } = person
  const [ownRole, setOwnRole] = useState<StaffRole>('owner')
  const transfer = useChange(adminTransferOwnershipCall, { done: 'Ownership transferred', failure: 'Nothing changed' })
  const change = useChange(adminChangeStaffRoleCall, roleMessages)
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
  const change = useChange(adminChangeStaffRoleCall, roleMessages)
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
function StaffRow({ person, isYou, requiresSecondFactor }: StaffRowProps) {
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

type RoleFieldProps = {
  label: string
  value: StaffRole
  onChange: (role: StaffRole) => void
}

/** Chooses a role and says what it may do. */
function RoleField({ label, value, onChange }: RoleFieldProps) {
  return (
    <SelectField
      label={label}
      hint={`${staffRoleLabels[value].can}.`}
      value={value}
      onChange={({ target }) => onChange(staffRoles.find((role) => role === target.value) ?? value)}
      options={staffRoles.map((role) => [role, staffRoleLabels[role].name])}
    />
  )
}
