import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSendAuthEmail } from '#client/features/identity/auth/auth-emails.api.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import {
  clearPendingLinkSession,
  getPendingLinkSession,
  type PendingLinkSession,
} from '#client/lib/pending-link-session.ts'
import { adoptSession, revokeSession, useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { AuthFrame } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'

/** Error of an emailed link, and the path it was for. */
export type LinkState = { error: string; code: string | null; landedOn: string }

const unknownLink: LinkState = { error: '', code: 'otp_expired', landedOn: '/' }

/** Shown if an emailed link is expired, used or rejected, or belongs to another account. */
export function Component() {
  const { status, user } = useSession()
  const { state } = useLocation()
  const [pendingLink] = useState(getPendingLinkSession)
  const { error, code, landedOn } = { ...unknownLink, ...(state as Partial<LinkState> | null) }
  if (status === 'loading') return <LoadingPage />
  if (pendingLink) return <AccountConflict link={pendingLink} />
  const expired = code === 'otp_expired'
  return (
    <AuthFrame
      title={expired ? 'This link no longer works' : 'This link didn’t work'}
      back={{ to: '/', label: 'Back to home' }}
    >
      <p className="text-lg">
        {expired
          ? 'Links in our emails work once and expire after an hour, and only the latest one counts. Nothing was changed.'
          : `${error.replace(/\.$/, '') || 'The link was rejected'}. Nothing was changed.`}
      </p>
      <div className="mt-8 grid gap-3">{nextStep({ landedOn, user })}</div>
    </AuthFrame>
  )
}

/** Asks before switching accounts, because anyone can send a link to their own account. */
function AccountConflict({ link }: { link: PendingLinkSession }) {
  const navigate = useNavigate()
  const [pending, setPending] = useState(false)
  const { tokens, currentEmail, linkEmail, destination } = link
  const handleSwitch = async () => {
    setPending(true)
    clearPendingLinkSession()
    if (await adoptSession(tokens)) return navigate(destination.to, { replace: true, state: destination.state })
    toast.error('This link no longer works')
    navigate('/', { replace: true })
  }
  const handleStay = () => {
    clearPendingLinkSession()
    void revokeSession(tokens)
    navigate('/', { replace: true })
  }
  return (
    <AuthFrame title="Switch accounts?">
      <p className="text-lg wrap-anywhere">
        You’re signed in as <strong>{currentEmail}</strong>. This link signs you in as <strong>{linkEmail}</strong>.
      </p>
      <div className="mt-8 grid gap-3">
        <Button block disabled={pending} onClick={handleStay} className="wrap-anywhere">
          Stay signed in as {currentEmail}
        </Button>
        <Button variant="secondary" block pending={pending} onClick={handleSwitch} className="wrap-anywhere">
          Sign in as {linkEmail}
        </Button>
      </div>
    </AuthFrame>
  )
}

type SignedInUser = { email?: string; email_confirmed_at?: string } | null

/** A failed link doesn't say its purpose, so its path and the session decide. */
function nextStep({ landedOn, user }: { landedOn: string; user: SignedInUser }): ReactNode {
  if (landedOn === '/reset-password') {
    return (
      <>
        <ButtonLink to="/auth/forgot" state={{ email: user?.email }} block>
          Request a new link
        </ButtonLink>
        {!user && <SignInLink />}
      </>
    )
  }
  if (!user) {
    return (
      <>
        <ButtonLink to="/auth/mail" block>
          Email me a new link
        </ButtonLink>
        <SignInLink />
      </>
    )
  }
  return (
    <>
      {user.email && !user.email_confirmed_at && <SendConfirmation email={user.email} />}
      <p className="text-muted wrap-anywhere">
        You’re signed in on this device as {user.email}
        {user.email_confirmed_at ? ', and your email is confirmed.' : '.'}
      </p>
      <ButtonLink to={landedOn.startsWith('/account') ? landedOn : '/portal'} variant="secondary" block>
        Continue
      </ButtonLink>
    </>
  )
}

const SignInLink = () => (
  <ButtonLink to="/auth" variant="secondary" block>
    Sign in another way
  </ButtonLink>
)

function SendConfirmation({ email }: { email: string }) {
  const send = useSendAuthEmail('confirmation')
  const [message, setMessage] = useState<string | null>(null)
  if (send.isSuccess) {
    return (
      <>
        <p role="status" className="wrap-anywhere">
          We sent a new email to <strong>{email}</strong>.
        </p>
        <ButtonLink to="/auth/confirm" block>
          Enter code
        </ButtonLink>
      </>
    )
  }
  const handleSend = () => send.mutate(email, { onError: (error) => setMessage(errorMessage(error)) })
  return (
    <>
      <Button block pending={send.isPending} onClick={handleSend}>
        Resend confirmation email
      </Button>
      <InlineError>{message}</InlineError>
    </>
  )
}
