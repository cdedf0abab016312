import { useId } from 'react'
import { useSixDigitCode } from '#client/features/identity/auth/use-six-digit-code.ts'
import { Button } from '#client/ui/button.tsx'
import { CodeField } from '#client/ui/code-field.tsx'

type EmailChangeCodeFormProps = {
  email: string
  /** Rejects if the code is wrong. */
  onCode: (code: string) => Promise<unknown>
}

/** Takes the code that was emailed to one of the addresses. */
export function EmailChangeCodeForm({ email, onCode }: EmailChangeCodeFormProps) {
  const { pending, handleSubmit, field } = useSixDigitCode(onCode)
  const id = useId()
  return (
    <form onSubmit={handleSubmit} aria-labelledby={id} className="grid max-w-md gap-3" noValidate>
      <span id={id} className="sr-only">
        Confirm {email}
      </span>
      <CodeField label={`Code sent to ${email}`} {...field} />
      <div>
        <Button type="submit" variant="secondary" pending={pending}>
          Confirm
        </Button>
      </div>
    </form>
  )
}
