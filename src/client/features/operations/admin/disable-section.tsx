import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { toast } from '#client/lib/toast.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Section } from '#client/ui/section.tsx'
import { adminSetDisabledCall } from '#shared/contracts/identity/admin-security.ts'
import type { AdminUserFacts } from './admin-user.api.ts'

/** Suspends an account, ends its sessions and adds to the staff log. */
function useSetDisabled(id: string) {
  const queryClient = useQueryClient()
  return useSensitiveMutation({
    mutationFn: (change: { disabled: boolean; reason: string }) =>
      invoke(adminSetDisabledCall, { userId: id, disabled: change.disabled, reason: change.reason || null }),
    onSuccess: ({ disabled }) => {
      toast.success(disabled ? 'Account disabled' : 'Account enabled', { id: 'disabled' })
      return Promise.all([
        queryClient.invalidateQueries({ queryKey: ['admin-user', id] }),
        queryClient.invalidateQueries({ queryKey: ['admin-audit-log'] }),
      ])
    },
  })
}

/** Disables or enables an account. Give it a key made of `user.disabled`, so that the form resets. */
export function DisableSection({ user, isSelf }: { user: AdminUserFacts; isSelf: boolean }) {
  const [open, setOpen] = useState(false)
  const verb = user.disabled ? 'Enable' : 'Disable'
  return (
    <Section
      title={user.disabled ? 'Enable this account' : 'Disable this account'}
      lede={
        user.disabled
          ? 'They can sign in again and find everything as it was. Earlier sessions stay signed out.'
          : 'Signs them out everywhere and blocks sign-in. Their data and subscription stay as they are. To stop charging them, cancel the plan.'
      }
    >
      {isSelf ? (
        <p className="text-muted">This is your own account. Another admin can disable it.</p>
      ) : open ? (
        <ReasonForm user={user} verb={verb} onClose={() => setOpen(false)} />
      ) : (
        <Button variant="secondary" onClick={() => setOpen(true)}>
          {verb} account
        </Button>
      )}
    </Section>
  )
}

type ReasonFormProps = { user: AdminUserFacts; verb: 'Enable' | 'Disable'; onClose: () => void }

function ReasonForm({ user, verb, onClose }: ReasonFormProps) {
  const change = useSetDisabled(user.id)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (change.isPending) return
    const reason = String(new FormData(event.currentTarget).get('reason')).trim()
    change.mutate({ disabled: !user.disabled, reason })
  }
  return (
    <Panel label={`${verb} account`}>
      <form onSubmit={handleSubmit} className="grid max-w-md gap-5">
        <TextField
          label="Reason"
          name="reason"
          hint="Optional. You and other admins see it in the staff log."
          maxLength={300}
          autoComplete="off"
          autoFocus
        />
        <FormError>{formErrorMessage(change.error)}</FormError>
        <FormActions
          action={`${verb} account`}
          variant={user.disabled ? 'primary' : 'danger'}
          pending={change.isPending}
          onCancel={onClose}
        />
      </form>
    </Panel>
  )
}
