import { type SubmitEvent, useState } from 'react'
import { problemOf } from '#client/lib/problem-of.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { type MailPurpose, useSendMail } from './mail.api.ts'
import { intervalSeconds, waitSeconds } from './wait-seconds.ts'

type AskAddressProps = {
  purpose: MailPurpose
  button: string
  defaultEmail: string
  /** Where a link to sign in leads. */
  signInPath: string
  /** `wait`: seconds until another mail may be asked for. */
  onSent: (email: string, wait: number) => void
}

/** Asks where to write to, and writes. What follows looks the same whether or not there is such an account. */
export function AskAddress({ purpose, button, defaultEmail, signInPath, onSent }: AskAddressProps) {
  const send = useSendMail(purpose, signInPath)
  const [problem, setProblem] = useState<string | undefined>()

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (send.isPending) return
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    setProblem(undefined)
    try {
      await send.mutateAsync(email)
    } catch (error) {
      const wait = waitSeconds(error)
      if (wait === null) return setProblem(problemOf(error))
      // A mail is on its way already: the next page takes its code, and counts what is left of the minute.
      return onSent(email, wait)
    }
    onSent(email, intervalSeconds)
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
