import { Check } from 'lucide-react'
import { useId, useState } from 'react'
import { ResendButton } from '#client/features/identity/auth/resend-button.tsx'
import { Button } from '#client/ui/button.tsx'
import { CodeField } from '#client/ui/code-field.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { useSixDigitCode } from '../auth/use-six-digit-code.ts'
import { useConfirmNewEmail, useResendEmailChange } from './account.api.ts'

type EmailChangeCodeFormProps = {
  email: string
  /** Rejects if the code is wrong. */
  onCode: (code: string) => Promise<unknown>
}

/** Takes the code that was emailed to one of the addresses. */
function EmailChangeCodeForm({ email, onCode }: EmailChangeCodeFormProps) {
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

type PendingEmailChangeProps = {
  /** Set if the current address has to confirm as well. */
  currentEmail: string | null
  newEmail: string
}

/** An email change that has to be confirmed, by the links in the emails or by their codes here. */
export function PendingEmailChange({ currentEmail, newEmail }: PendingEmailChangeProps) {
  const [confirmed, setConfirmed] = useState<readonly string[]>([])
  const { mutateAsync } = useConfirmNewEmail()
  const handleCode = async (email: string, code: string) => {
    await mutateAsync({ email, code })
    setConfirmed((before) => [...before, email])
  }
  const resend = useResendEmailChange()
  const emails = currentEmail ? [newEmail, currentEmail] : [newEmail]
  // The server sends one email per request.
  const waiting = emails.filter((email) => !confirmed.includes(email))
  return (
    <div className="mt-5">
      <Panel label="Pending email change">
        <h4 className="font-semibold [overflow-wrap:anywhere]">Confirm {newEmail}</h4>
        <p className="mt-1 max-w-[60ch] text-sm text-muted">
          {currentEmail
            ? 'We sent a link and a code to both addresses. Open both links or enter both codes, in any order. Skip any you’ve already confirmed.'
            : 'We sent it a link and a code. Open the link or enter the code here.'}
        </p>
        <ul className="mt-5 grid gap-6 md:grid-cols-2">
          {emails.map((email) => (
            <li key={email} className="min-w-0">
              {confirmed.includes(email) ? (
                <p className="flex items-start gap-2 [overflow-wrap:anywhere]">
                  <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-success" strokeWidth={1.75} />
                  {email} is confirmed.
                </p>
              ) : (
                <EmailChangeCodeForm email={email} onCode={(code) => handleCode(email, code)} />
              )}
            </li>
          ))}
        </ul>
        <div className="mt-6 border-t border-line pt-4">
          <div className="-ml-3">
            <ResendButton
              label={waiting.length > 1 ? 'Resend emails' : 'Resend email'}
              waitFirst={0}
              variant="quiet"
              onSend={() => Promise.all(waiting.map((email) => resend.mutateAsync(email)))}
            />
          </div>
        </div>
      </Panel>
    </div>
  )
}
