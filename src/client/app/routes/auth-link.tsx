import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSendAuthEmail } from '#client/features/auth/auth-emails.api.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import {
  clearPendingLinkSession,
  getPendingLinkSession,
  type PendingLinkSession,
} from '#client/lib/pending-link-session.ts'
import { adoptSession, revokeSession, useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { AuthFrame } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'

/** What a mailed link left behind: why it did not work, and the page that it was meant for. */
export type LinkState = { problem: string; code: string | null; landedOn: string }

const unknownLink: LinkState = { problem: '', code: 'otp_expired', landedOn: '/' }

/** Where a mailed link ends that is too old, used up, or refused: what happened, and the way to another one. */
export function Component() {
  const { status, user } = useSession()
  const { state } = useLocation()
  const [held] = useState(getPendingLinkSession)
  const { problem, code, landedOn } = { ...unknownLink, ...(state as Partial<LinkState> | null) }
  if (status === 'loading') return <LoadingPage />
  if (held) return <TwoPeople link={held} />
  const expired = code === 'otp_expired'
  return (
    <AuthFrame
      title={expired ? 'This link no longer works' : 'This link did not work'}
      back={{ to: '/', label: 'Back to home' }}
    >
      <p className="text-lg">
        {expired
          ? 'A link from our mails works once, for an hour, and only the newest one counts. Nothing was changed.'
          : `${problem || 'It was refused'}. Nothing was changed.`}
      </p>
      <div className="mt-8 grid gap-3">{nextStep({ landedOn, user })}</div>
    </AuthFrame>
  )
}

/** A link may come from anybody: it must not put one person in another's place behind their back. */
function TwoPeople({ link }: { link: PendingLinkSession }) {
  const navigate = useNavigate()
  const [pending, setPending] = useState(false)
  const { tokens, here, there, goOn } = link
  const handleSwitch = async () => {
    setPending(true)
    clearPendingLinkSession()
    if (await adoptSession(tokens)) return navigate(goOn.to, { replace: true, state: goOn.state })
    toast.error('This link no longer works')
    navigate('/', { replace: true })
  }
  const handleStay = () => {
    clearPendingLinkSession()
    void revokeSession(tokens)
    navigate('/', { replace: true })
  }
  return (
    <AuthFrame title="Two accounts">
      <p className="text-lg wrap-anywhere">
        You are signed in as <strong>{here}</strong>. This link signs you in as <strong>{there}</strong>.
      </p>
      <div className="mt-8 grid gap-3">
        <Button block disabled={pending} onClick={handleStay} className="wrap-anywhere">
          Stay signed in as {here}
        </Button>
        <Button variant="secondary" block pending={pending} onClick={handleSwitch} className="wrap-anywhere">
          Sign in as {there}
        </Button>
      </div>
    </AuthFrame>
  )
}

type Reader = { email?: string; email_confirmed_at?: string } | null

/** The link does not say what it was for; where it led and who is reading do. */
function nextStep({ landedOn, user }: { landedOn: string; user: Reader }): ReactNode {
  if (landedOn === '/reset-password') {
    return (
      <>
        <ButtonLink to="/auth/forgot" state={{ email: user?.email }} block>
          Ask for a new one
        </ButtonLink>
        {!user && <ToSignIn />}
      </>
    )
  }
  if (!user) {
    return (
      <>
        <ButtonLink to="/auth/mail" block>
          Mail me a new one
        </ButtonLink>
        <ToSignIn />
      </>
    )
  }
  return (
    <>
      {user.email && !user.email_confirmed_at && <SendConfirmation email={user.email} />}
      <p className="text-muted wrap-anywhere">
        You are signed in on this device as {user.email}
        {user.email_confirmed_at ? ', and the address is confirmed.' : '.'}
      </p>
      <ButtonLink to={landedOn.startsWith('/account') ? landedOn : '/portal'} variant="secondary" block>
        Go on
      </ButtonLink>
    </>
  )
}

const ToSignIn = () => (
  <ButtonLink to="/auth" variant="secondary" block>
    Sign in another way
  </ButtonLink>
)

function SendConfirmation({ email }: { email: string }) {
  const send = useSendAuthEmail('confirmation')
  const [problem, setProblem] = useState<string | null>(null)
  if (send.isSuccess) {
    return (
      <>
        <p role="status" className="wrap-anywhere">
          A new mail is on its way to <strong>{email}</strong>.
        </p>
        <ButtonLink to="/auth/confirm" block>
          Type its code
        </ButtonLink>
      </>
    )
  }
  const handleSend = () => send.mutate(email, { onError: (error) => setProblem(errorMessage(error)) })
  return (
    <>
      <Button block pending={send.isPending} onClick={handleSend}>
        Send a new confirmation
      </Button>
      <InlineError>{problem}</InlineError>
    </>
  )
}
