import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Section } from '#client/ui/section.tsx'
import { adminRevokeAccessCall, type EntitlementReport } from '#shared/contracts/billing/admin-billing.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { useGrantAccess } from './entitlement.api.ts'

type ComplimentaryAccessSectionProps = { userId: string; access: EntitlementReport['complimentary'] }

/** Opens the portal to a user without a plan, such as a journalist or a partner. */
export function ComplimentaryAccessSection({ userId, access }: ComplimentaryAccessSectionProps) {
  const [open, setOpen] = useState<'form' | 'confirm' | null>(null)
  const revoke = useChange(adminRevokeAccessCall, { done: 'Access revoked', failure: 'We couldn’t revoke access' })
  const hasEnded = access !== null && new Date(access.until) <= new Date()
  return (
    <Section
      title="Complimentary access"
      lede="Gives full access until a date you choose, at no charge. We email the user."
    >
      <div className="grid gap-5">
        {access && (
          <p className="max-w-[60ch]">
            {hasEnded ? 'Ended on' : 'Until'} <time dateTime={access.until}>{formatDay(access.until)}</time>, granted by{' '}
            <span className="[overflow-wrap:anywhere]">{access.grantedBy}</span> on {formatDay(access.grantedAt)}.
            {access.note && ` ${access.note}`}
          </p>
        )}
        {open === 'form' ? (
          <GrantForm userId={userId} onClose={() => setOpen(null)} />
        ) : (
          <div className="flex flex-wrap gap-3">
            <Button variant="secondary" onClick={() => setOpen('form')}>
              {access ? 'Change date' : 'Grant access'}
            </Button>
            {access && (
              <Button variant="quiet" pending={revoke.isPending} onClick={() => setOpen('confirm')}>
                Revoke access
              </Button>
            )}
          </div>
        )}
      </div>
      {open === 'confirm' && (
        <ConfirmDialog
          title="Revoke complimentary access?"
          action="Revoke access"
          onConfirm={() => revoke.mutate({ userId: userId })}
          onClose={() => setOpen(null)}
        >
          The user loses access to the portal immediately, unless they have a plan.
        </ConfirmDialog>
      )}
    </Section>
  )
}

function GrantForm({ userId, onClose }: { userId: string; onClose: () => void }) {
  const grant = useGrantAccess(userId)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (grant.isPending) return
    const form = new FormData(event.currentTarget)
    // Includes the whole last day.
    const until = new Date(`${form.get('until')}T23:59:59Z`)
    if (Number.isNaN(until.getTime())) return
    grant.mutate({ until: until.toISOString(), note: String(form.get('note')).trim() }, { onSuccess: onClose })
  }
  return (
    <Panel label="Grant access">
      <form onSubmit={handleSubmit} className="grid max-w-md gap-5">
        <TextField
          label="Last day"
          name="until"
          type="date"
          required
          min={new Date().toISOString().slice(0, 10)}
          autoFocus
        />
        <TextField label="Reason" name="note" hint="Optional. For you and other admins." maxLength={300} />
        <FormError>{formErrorMessage(grant.error)}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" pending={grant.isPending}>
            Grant access
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Panel>
  )
}
