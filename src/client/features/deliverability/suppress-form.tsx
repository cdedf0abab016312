import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Field, inputStyles, TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { suppressedStreams } from '#shared/contracts/deliverability.ts'
import { oneOf } from './suppression-filter.tsx'
import { useSuppress } from './suppressions.api.ts'

/** Takes an address out by hand, as after a letter or a call. */
export function SuppressForm() {
  const [open, setOpen] = useState(false)
  const suppress = useSuppress()
  if (!open) {
    return (
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Add an address
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
    <Panel label="Add an address">
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
        <Field label="Write no more">
          {(control) => (
            <select {...control} name="stream" className={inputStyles}>
              {Object.entries(suppressedStreams).map(([word, text]) => (
                <option key={word} value={word}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Because">
          {(control) => (
            <select {...control} name="reason" className={inputStyles}>
              <option value="unsubscribed">They asked us to stop</option>
              <option value="manual">We decided so</option>
            </select>
          )}
        </Field>
        <TextField label="Note" name="note" maxLength={500} hint="For you and the other admins." />
        <FormError>{formErrorMessage(suppress.error)}</FormError>
        <FormActions action="Add" pending={suppress.isPending} onCancel={() => setOpen(false)} />
      </form>
    </Panel>
  )
}
