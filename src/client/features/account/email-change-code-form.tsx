import { useId } from 'react'
import { useCodeEntry } from '#client/features/auth/use-code-entry.ts'
import { Button } from '#client/ui/button.tsx'
import { CodeField } from '#client/ui/code-field.tsx'

type MailboxCodeProps = {
  /** The mailbox that the code was sent to. */
  mailbox: string
  /** Rejects when the code is not right. */
  onCode: (code: string) => Promise<unknown>
}

/** Six digits out of the mail to one mailbox: for whoever reads mail on another device than this one. */
export function EmailChangeCodeForm({ mailbox, onCode }: MailboxCodeProps) {
  const { pending, handleSubmit, field } = useCodeEntry(onCode)
  const id = useId()
  return (
    <form onSubmit={handleSubmit} aria-labelledby={id} className="grid max-w-md gap-3" noValidate>
      <span id={id} className="sr-only">
        Confirm {mailbox}
      </span>
      <CodeField label={`Code sent to ${mailbox}`} {...field} />
      <div>
        <Button type="submit" variant="secondary" pending={pending}>
          Confirm
        </Button>
      </div>
    </form>
  )
}
