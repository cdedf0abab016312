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
  /** The page a sign-in link opens. */
  signInPath: string
  /** `wait`: seconds until another email can be requested. */
  onSent: (email: string, wait: number) => void
}

/** Requests an email. The result looks the same whether or not the account exists. */
export function RequestEmailForm({ purpose, button, defaultEmail, signInPath, onSent }: AskAddressProps) {
  const send = useSendAuthEmail(purpose, signInPath)
  const [message, setMessage] = useState<string | undefined>()

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (send.isPending) return
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    setMessage(undefined)
    try {
      await send.mutateAsync(email)
    } catch (error) {
      const wait = resendDelaySeconds(error)
      if (wait === null) return setMessage(errorMessage(error))
      // An email went out less than a minute ago, and its code still works.
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
        error={message}
        required
      />
      <Button type="submit" pending={send.isPending} block>
        {button}
      </Button>
    </form>
  )
}
