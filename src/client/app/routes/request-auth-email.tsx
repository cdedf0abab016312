import { type SubmitEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type AuthEmailPurpose, useSendAuthEmail } from '#client/features/identity/auth/auth-emails.api.ts'
import { EmailCodeForm } from '#client/features/identity/auth/email-code-form.tsx'
import { resendDelaySeconds, resendIntervalSeconds } from '#client/features/identity/auth/resend-delay.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/form.tsx'
import { AuthFrame, backToSignIn } from '../layouts/auth-frame.tsx'
import { prefilledEmail, returnPath } from '../sign-in-location-state.ts'

const texts = {
  recovery: {
    title: 'Forgot your password?',
    lead: 'Enter your email and we’ll send you a link and a code to choose a new one.',
    button: 'Send reset email',
  },
  'sign-in': {
    title: 'Sign in by email',
    lead: 'No password needed: we’ll email you a link and a code. Both work once and expire in an hour.',
    button: 'Send sign-in email',
  },
} as const

/** Sends an email with a link and a code, to choose a new password or to sign in without one. */
export function RequestAuthEmail({ purpose }: { purpose: 'recovery' | 'sign-in' }) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const [sentTo, setSentTo] = useState<{ email: string; wait: number } | null>(null)
  const [email, setEmail] = useState(() => prefilledEmail(state) ?? '')
  const { title, lead, button } = texts[purpose]
  const handleVerified = () =>
    purpose === 'recovery'
      ? navigate('/reset-password', { replace: true })
      : navigate(returnPath(state), { replace: true })

  if (sentTo === null) {
    return (
      <AuthFrame title={title} back={backToSignIn}>
        <p className="-mt-3 mb-8 text-lg text-muted">{lead}</p>
        <RequestEmailForm
          purpose={purpose}
          button={button}
          defaultEmail={email}
          signInPath={returnPath(state)}
          onSent={(sentEmail, wait) => {
            setEmail(sentEmail)
            setSentTo({ email: sentEmail, wait })
          }}
        />
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title="Check your email" back={backToSignIn}>
      <EmailCodeForm
        purpose={purpose}
        email={sentTo.email}
        signInPath={returnPath(state)}
        waitFirst={sentTo.wait}
        onVerified={handleVerified}
        aside={
          <Button variant="secondary" size="sm" onClick={() => setSentTo(null)}>
            Use a different email
          </Button>
        }
      >
        <p role="status" className="text-lg wrap-anywhere">
          If <strong>{sentTo.email}</strong> has an account, you’ll get an email shortly. Open its link on this device,
          or enter its six-digit code here.
        </p>
      </EmailCodeForm>
    </AuthFrame>
  )
}

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
function RequestEmailForm({ purpose, button, defaultEmail, signInPath, onSent }: AskAddressProps) {
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
