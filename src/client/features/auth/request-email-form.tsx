import { type SubmitEvent, useState } from 'react'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { type AuthEmailPurpose, useSendAuthEmail } from './auth-emails.api.ts'
import { resendDelaySeconds, resendIntervalSeconds } from './resend-delay.ts'

type AskAddressProps = {
  purpose: AuthEmailPurpose
  button: string
  defaultEmail: string
  /** Where a link to sign in leads. */
  signInPath: string
  /** `wait`: seconds until another mail may be asked for. */
  onSent: (email: string, wait: number) => void
}

/** Asks where to write to, and writes. What follows looks the same whether or not there is such an account. */
export function RequestEmailForm({ purpose, button, defaultEmail, signInPath, onSent }: AskAddressProps) {
  const send = useSendAuthEmail(purpose, signInPath)
  const [problem, setProblem] = useState<string | undefined>()

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (send.isPending) return
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    setProblem(undefined)
    try {
      await send.mutateAsync(email)
    } catch (error) {
      const wait = resendDelaySeconds(error)
      if (wait === null) return setProblem(errorMessage(error))
      // A mail is on its way already: the next page takes its code, and counts what is left of the minute.
      return onSent(email, wait)
    }
    onSent(email, resendIntervalSeconds)
  }

  return (
    <form onSubmit={handleSubmit} className="grid gap-5">
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        defaultValue={defaultEmail}
        error={problem}
        required
      />
      <Button type="submit" pending={send.isPending} block>
        {button}
      </Button>
    </form>
  )
}
