import { formErrorMessage } from '#client/lib/error-message.ts'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { adminRevokeStaffInvitationCall, type StaffInvitation } from '#shared/contracts/identity/staff.ts'
import { staffRoleLabels } from '#shared/domain/staff-roles.ts'
import { useInviteStaff } from './staff.api.ts'

export function InvitationRow({ invitation }: { invitation: StaffInvitation }) {
  const { id, email, role, invitedBy, expiresAt, isExpired } = invitation
  const revoke = useChange(adminRevokeStaffInvitationCall, {
    done: 'Invitation revoked',
    failure: 'We couldn’t revoke the invitation',
  })
  const resend = useInviteStaff()
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
