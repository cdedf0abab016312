import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Section } from '#client/ui/section.tsx'
import type { EntitlementReport } from '#shared/contracts/admin-billing.ts'
import { formatDay } from '#shared/domain/format.ts'
import { useGrantAccess, useRevokeAccess } from './entitlement.api.ts'

type GiftSectionProps = { userId: string; gift: EntitlementReport['gift'] }

/** Opens the portal to somebody without a plan: to the press, a friend, or as an apology. */
export function ComplimentaryAccessSection({ userId, gift }: GiftSectionProps) {
  const [open, setOpen] = useState<'form' | 'question' | null>(null)
  const revoke = useRevokeAccess(userId)
  const isOver = gift !== null && new Date(gift.until) <= new Date()
  return (
    <Section
      title="Complimentary access"
      lede="Opens everything until a day that you choose. Nothing is charged, and a mail tells them."
    >
      <div className="grid gap-5">
        {gift && (
          <p className="max-w-[60ch]">
            {isOver ? 'Ended on' : 'Until'} <time dateTime={gift.until}>{formatDay(gift.until)}</time>, given by{' '}
            <span className="[overflow-wrap:anywhere]">{gift.granted_by}</span> on {formatDay(gift.granted_at)}.
            {gift.note && ` ${gift.note}`}
          </p>
        )}
        {open === 'form' ? (
          <GiftForm userId={userId} onClose={() => setOpen(null)} />
        ) : (
          <div className="flex flex-wrap gap-3">
            <Button variant="secondary" onClick={() => setOpen('form')}>
              {gift ? 'Choose another day' : 'Give access'}
            </Button>
            {gift && (
              <Button variant="quiet" pending={revoke.isPending} onClick={() => setOpen('question')}>
                Take it back
              </Button>
            )}
          </div>
        )}
      </div>
      {open === 'question' && (
        <ConfirmDialog
          title="Take the access back?"
          action="Take it back"
          onConfirm={() => revoke.mutate()}
          onClose={() => setOpen(null)}
        >
          The portal closes to them with their next click, unless a plan opens it.
        </ConfirmDialog>
      )}
    </Section>
  )
}

function GiftForm({ userId, onClose }: { userId: string; onClose: () => void }) {
  const grant = useGrantAccess(userId)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (grant.isPending) return
    const form = new FormData(event.currentTarget)
    // The whole of the day is theirs, wherever they are.
    const until = new Date(`${form.get('until')}T23:59:59Z`)
    if (Number.isNaN(until.getTime())) return
    grant.mutate({ until: until.toISOString(), note: String(form.get('note')).trim() }, { onSuccess: onClose })
  }
  return (
    <Panel label="Give access">
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
            Give access
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Panel>
  )
}
