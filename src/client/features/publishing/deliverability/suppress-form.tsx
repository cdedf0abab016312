import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { inWords } from '#client/lib/own-words.ts'
import { toast } from '#client/lib/toast.ts'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { SelectField, TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import {
  adminSuppressCall,
  suppressedStreams,
  suppressionReasons,
} from '#shared/contracts/publishing/deliverability.ts'
import { oneOf } from './suppression-filter.tsx'

/** Suppresses an address manually, for example after a phone call. */
export function SuppressForm() {
  const [open, setOpen] = useState(false)
  const suppress = useChange(adminSuppressCall, {
    onSuccess: ({ email }) => toast.success(`${email} is suppressed`, { id: 'suppression' }),
  })
  if (!open) {
    return (
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Suppress address
      </Button>
    )
  }
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (suppress.isPending) return
    const data = new FormData(event.currentTarget)
    suppress.mutate(
      {
        email: String(data.get('email')),
        stream: oneOf(suppressedStreams, String(data.get('stream'))) ?? 'all',
        reason: data.get('reason') === 'unsubscribed' ? 'unsubscribed' : 'manual',
        note: String(data.get('note')),
      },
      { onSuccess: () => setOpen(false) },
    )
  }
  return (
    <Panel label="Suppress address">
      <form onSubmit={handleSubmit} className="grid max-w-xl gap-5">
        <TextField
          label="Email address"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="off"
          maxLength={320}
          required
          autoFocus
        />
        <SelectField
          label="Emails to stop"
          name="stream"
          options={Object.entries(suppressedStreams).map(([word, text]) => [word, inWords(text)])}
        />
        <SelectField label="Reason" name="reason">
          <option value="unsubscribed">{suppressionReasons.unsubscribed}</option>
          <option value="manual">{suppressionReasons.manual}</option>
        </SelectField>
        <TextField label="Note" name="note" maxLength={500} hint="Visible to admins only." />
        <FormError>{formErrorMessage(suppress.error)}</FormError>
        <FormActions action="Suppress" pending={suppress.isPending} onCancel={() => setOpen(false)} />
      </form>
    </Panel>
  )
}
