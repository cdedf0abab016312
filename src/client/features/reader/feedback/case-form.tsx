import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { invoke } from '#client/lib/calls.ts'
import { submitHandler } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { CheckField, Field, InlineError } from '#client/ui/form.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { type CaseParts, maxAnswerLength, offerCaseCall } from '#shared/contracts/reader/feedback.ts'

const fields: { name: keyof CaseParts; label: string; hint: string }[] = [
  { name: 'tried', label: 'What you tried', hint: 'Your trade, the task, the tool, and when you began.' },
  {
    name: 'numbers',
    label: 'Numbers',
    hint: 'Before and after, counted the same way, and what it cost in hours and dollars.',
  },
  { name: 'failed', label: 'What failed', hint: 'What you stopped, and who noticed. No names.' },
]

/** Through which a member offers a case of their own. */
export default function CaseForm() {
  const [mayPublish, setMayPublish] = useState(false)
  const send = useMutation({ mutationFn: (parts: CaseParts) => invoke(offerCaseCall, { ...parts, mayPublish }) })
  const handleSubmit = submitHandler(send, (_text, form) => {
    const [tried, numbers, failed] = fields.map(({ name }) => String(form.get(name)))
    send.mutate({ tried: tried ?? '', numbers: numbers ?? '', failed: failed ?? '' })
  })
  if (send.isSuccess)
    return (
      <p role="status" className="mt-6 font-semibold">
        Thank you. We have your case, and we’ll ask you before we print anything.
      </p>
    )
  return (
    <form onSubmit={handleSubmit} className="mt-6 grid max-w-xl gap-5 print:hidden">
      {fields.map(({ name, label, hint }) => (
        <Field key={name} label={label} hint={hint}>
          {(control) => (
            <textarea {...control} name={name} required rows={4} maxLength={maxAnswerLength} className={inputStyles} />
          )}
        </Field>
      ))}
      <CheckField
        label="You may print it without my name, once I’ve read it"
        checked={mayPublish}
        onChange={({ target }) => setMayPublish(target.checked)}
      />
      <InlineError>{formErrorMessage(send.error)}</InlineError>
      <div>
        <Button type="submit" pending={send.isPending}>
          Send case
        </Button>
      </div>
    </form>
  )
}
