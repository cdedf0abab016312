import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { ViewAsButton } from '#client/features/identity/view-as/view-as-button.tsx'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { type addressChanges, adminChangeMemberCall } from '#shared/contracts/operations/member-account.ts'
import type { Member } from '#shared/contracts/operations/member-page.ts'
import { accountQuery, memberQuery } from './member.api.ts'

/** Edits the member, or opens the portal as they see it. */
export function MemberActions({ userId }: { userId: string }) {
  const { data: account } = useQuery(accountQuery(userId))
  const { data: member } = useQuery(memberQuery(userId))
  const { role } = useStaffRole()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" disabled={!member} onClick={() => setIsOpen(true)}>
        Edit
      </Button>
      {account && !account.isAdmin && !account.disabled && <ViewAsButton userId={userId} />}
      {isOpen && account && member && (
        <EditMemberDialog
          member={member}
          emailConfirmed={account.emailConfirmed}
          isOwner={role === 'owner'}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  )
}

type EditMemberDialogProps = {
  member: Pick<Member, 'id' | 'name' | 'email'>
  emailConfirmed: boolean
  isOwner: boolean
  onClose: () => void
}

/** Changes name and address. A new address waits for its confirmation. */
function EditMemberDialog({ member, emailConfirmed, isOwner, onClose }: EditMemberDialogProps) {
  const change = useChange(adminChangeMemberCall)
  /** The member as of the dialog's opening. */
  const [known] = useState({ name: member.name, email: member.email })
  const [name, setName] = useState(member.name ?? '')
  const [email, setEmail] = useState(member.email)
  const [isLost, setIsLost] = useState(false)
  const changesAddress = email.trim().toLowerCase() !== known.email
  const handleSubmit = submitHandler(change, () => {
    const wanted = { name: name.trim() || null, email, known, isOldMailboxLost: changesAddress && isLost }
    change.mutate(
      { userId: member.id, ...wanted },
      {
        onSuccess: ({ address }) => {
          toast.success(doneTexts[address], { id: 'member-changed' })
          onClose()
        },
      },
    )
  })
  return (
    <Dialog title="Edit name and address" onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5">
        <TextField
          label="Name"
          maxLength={200}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="Email"
          type="email"
          required
          maxLength={320}
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        {changesAddress && emailConfirmed && isOwner && (
          <Choice
            type="checkbox"
            label="They can’t open the old mailbox"
            description="Only the new address has to confirm. Check first that the request really comes from them."
            checked={isLost}
            onChange={() => setIsLost(!isLost)}
          />
        )}
        {changesAddress && <p className="text-muted">{meaningOf(emailConfirmed, isLost && isOwner)}</p>}
        <FormActions action="Save" change={change} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function meaningOf(emailConfirmed: boolean, isLost: boolean): string {
  if (!emailConfirmed) {
    return 'If they have never signed in, the address changes at once. Otherwise it changes once the new one is confirmed.'
  }
  return isLost
    ? 'We email a confirmation to the new address and a notice to the old one. The address changes once the new one is confirmed.'
    : 'We email a confirmation to both addresses. The address changes once both are confirmed.'
}

const doneTexts: Record<(typeof addressChanges)[number], string> = {
  none: 'Saved',
  replaced: 'Address changed',
  'awaiting-new': 'Confirmation sent to the new address',
  'awaiting-both': 'Confirmations sent to both addresses',
}
