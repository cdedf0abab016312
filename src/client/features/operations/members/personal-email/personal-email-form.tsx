import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import {
  adminPreviewPersonalEmailCall,
  adminSendPersonalEmailCall,
} from '#shared/contracts/operations/personal-email.ts'

type PersonalEmailFormProps = {
  userId: string
  /** The id of the email to send. */
  id: string
  /** Where answers go, and what to consider. */
  note: string
  renderText: RenderMarkdownField
  onClose: () => void
}

export function PersonalEmailForm({ userId, id, note, renderText, onClose }: PersonalEmailFormProps) {
  const preview = useChange(adminPreviewPersonalEmailCall)
  const send = useChange(adminSendPersonalEmailCall, { done: 'The email is on its way' })
  const [subject, setSubject] = useState('')
  const [text, setText] = useState('')
  const isWritten = subject.trim() !== '' && text.trim() !== ''
  const change = (set: (value: string) => void) => (value: string) => {
    set(value)
    preview.reset()
  }
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (send.isPending || !isWritten) return
    send.mutate({ userId, id, subject, text }, { onSuccess: onClose })
  }
  return (
    <form onSubmit={handleSubmit} className="grid max-w-3xl gap-5">
      <TextField
        label="Subject"
        required
        maxLength={200}
        value={subject}
        onChange={({ target }) => change(setSubject)(target.value)}
      />
      {renderText({
        path: `personal-email.${id}`,
        label: 'Text',
        hint: '{{first_name|there}} becomes the member’s first name, or “there”.',
        rows: 8,
        value: text,
        onChange: change(setText),
      })}
      <p className="text-muted">{note}</p>
      {preview.data && <EmailPreview {...preview.data} />}
      <FormError>{formErrorMessage(send.error ?? preview.error)}</FormError>
      <FormActions action="Send to this member" pending={send.isPending} onCancel={onClose}>
        <Button
          variant="secondary"
          pending={preview.isPending}
          disabled={!isWritten}
          onClick={() => preview.mutate({ userId, subject, text })}
        >
          Preview
        </Button>
      </FormActions>
    </form>
  )
}

function EmailPreview({ subject, html, errors }: { subject: string; html: string; errors: readonly string[] }) {
  return (
    <div role="status">
      {errors.map((error) => (
        <p key={error} className="text-danger">
          {error}
        </p>
      ))}
      <p className="font-semibold [overflow-wrap:anywhere]">{subject}</p>
      {/* Sandboxed: no scripts, and no access to this page. */}
      <iframe
        title="Preview of the personal email"
        sandbox=""
        srcDoc={html}
        className="mt-3 h-[28rem] w-full rounded-md border border-line bg-surface"
      />
    </div>
  )
}
