import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import type { StaffRole } from '#shared/domain/staff-roles.ts'
import { RoleField } from './role-field.tsx'
import { useInviteStaff } from './staff.api.ts'

export function InviteForm() {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<StaffRole>('editor')
  const invite = useInviteStaff()
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (invite.isPending) return
    invite.mutate({ email, role }, { onSuccess: () => setEmail('') })
  }
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
