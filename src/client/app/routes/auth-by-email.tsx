import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { EmailCodeForm } from '#client/features/auth/email-code-form.tsx'
import { RequestEmailForm } from '#client/features/auth/request-email-form.tsx'
import { Button } from '#client/ui/button.tsx'
import { AuthFrame, backToSignIn } from '../layouts/auth-frame.tsx'
import { returnPath } from '../location-state.ts'

const words = {
  recovery: {
    title: 'Forgot your password?',
    lead: 'It happens. Tell us your address and we mail you a link and a code to choose a new one.',
    button: 'Send the mail',
    sent: 'a mail is on its way. Open its link on this device, or type its six digits here.',
  },
  'sign-in': {
    title: 'Come in by mail',
    lead: 'No password needed: we mail you a link and a code. Both work once, for an hour.',
    button: 'Send the mail',
    sent: 'a mail is on its way. Open its link on this device, or type its six digits here.',
  },
} as const

/** An address, a mail, and the six digits that came with it: to choose a new password, or to sign in without one. */
export function AuthByEmail({ purpose }: { purpose: 'recovery' | 'sign-in' }) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const [sentTo, setSentTo] = useState<{ email: string; wait: number } | null>(null)
  const [email, setEmail] = useState(() => rememberedEmail(state))
  const { title, lead, button, sent } = words[purpose]
  const goOn = () => navigate(purpose === 'recovery' ? '/reset-password' : returnPath(state), { replace: true })

  if (sentTo === null) {
    return (
      <AuthFrame title={title} back={backToSignIn}>
        <p className="-mt-3 mb-8 text-lg text-muted">{lead}</p>
        <RequestEmailForm
          purpose={purpose}
          button={button}
          defaultEmail={email}
          signInPath={returnPath(state)}
          onSent={(address, wait) => {
            setEmail(address)
            setSentTo({ email: address, wait })
          }}
        />
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title="Look at your mail" back={backToSignIn}>
      <EmailCodeForm
        purpose={purpose}
        email={sentTo.email}
        signInPath={returnPath(state)}
        waitFirst={sentTo.wait}
        onVerified={goOn}
        aside={
          <Button variant="secondary" size="sm" onClick={() => setSentTo(null)}>
            Use another address
          </Button>
        }
      >
        <p role="status" className="text-lg wrap-anywhere">
          If <strong>{sentTo.email}</strong> has an account here, {sent}
        </p>
      </EmailCodeForm>
    </AuthFrame>
  )
}

/** What was typed on the page before. */
function rememberedEmail(state: unknown): string {
  const email = (state as { email?: unknown } | null)?.email
  return typeof email === 'string' ? email : ''
}
