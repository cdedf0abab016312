import { useState } from 'react'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { inWords } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { FormActions, SelectField, TextField } from '#client/ui/form.tsx'
import { Panel } from '#client/ui/page-parts.tsx'
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
  const handleSubmit = submitHandler(suppress, (_text, form) =>
    suppress.mutate(
      {
        email: String(form.get('email')),
        stream: oneOf(suppressedStreams, String(form.get('stream'))) ?? 'all',
        reason: form.get('reason') === 'unsubscribed' ? 'unsubscribed' : 'manual',
        note: String(form.get('note')),
      },
      { onSuccess: () => setOpen(false) },
    ),
  )
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
        <FormActions action="Suppress" change={suppress} onCancel={() => setOpen(false)} />
      </form>
    </Panel>
  )
}
