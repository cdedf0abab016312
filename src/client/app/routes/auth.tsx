import { Mail } from 'lucide-react'
import { useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { AuthForm, type AuthMode } from '#client/features/auth/auth-form.tsx'
import { MailedCodeForm } from '#client/features/auth/mailed-code-form.tsx'
import { intervalSeconds } from '#client/features/auth/wait-seconds.ts'
import {
  clearDraft,
  emptyDraft,
  type OnboardingDraft,
  readDraft,
  saveDraft,
} from '#client/features/onboarding/draft.ts'
import { considerOffer } from '#client/features/passkeys/offer.ts'
import { PasskeySignIn } from '#client/features/passkeys/passkey-sign-in.tsx'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { AuthFrame } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'
import { cameFrom, knownEmail, type ReturnState, sessionHadEnded } from '../return-state.ts'
import { OnboardingWizard } from './onboarding-wizard.tsx'

const titles = { 'sign-in': 'Welcome back', 'sign-up': 'Create your account' } as const

const backToHome = { to: '/', label: 'Back to home' } as const

/** Sign in, sign up and, after signing up, three questions. Whoever comes with a session goes on to the portal. */
export function Component() {
  const session = useSession()
  const { status, user } = session
  const navigate = useNavigate()
  const { state } = useLocation()
  const [search] = useSearchParams()
  const [mode, setMode] = useState<AuthMode>(search.get('mode') === 'sign-up' ? 'sign-up' : 'sign-in')
  // There is a draft from the moment an account is asked for until the last step: it keeps people from the portal.
  const [draft, setDraft] = useState<OnboardingDraft | null>(readDraft)
  const [confirming, setConfirming] = useState<string | null>(null)
  const onboarding = user !== null && draft !== null && draft.email.toLowerCase() === user.email?.toLowerCase()

  if (status === 'loading') return <LoadingPage />
  if (user && !onboarding) return <Navigate to={cameFrom(state)} replace />

  const handleSigningUp = (email: string) => {
    const fresh = emptyDraft(email)
    saveDraft(fresh)
    setDraft(fresh)
  }
  const forgetDraft = () => {
    clearDraft()
    setDraft(null)
  }

  if (onboarding) {
    return (
      <AuthFrame title="About your business" wide>
        <OnboardingWizard draft={draft} onFinished={() => navigate(cameFrom(state), { replace: true })} />
      </AuthFrame>
    )
  }
  if (confirming) {
    return (
      <ConfirmFirst
        email={confirming}
        onVerifying={() => handleSigningUp(confirming)}
        onFailed={forgetDraft}
        onBack={() => setConfirming(null)}
      />
    )
  }
  return (
    <AuthFrame title={titles[mode]} back={backToHome}>
      {(sessionHadEnded(state) || (session.status === 'signed-out' && session.ended)) && (
        <p role="status" className="-mt-3 mb-8 text-lg text-muted">
          Your session has ended. Please sign in again.
        </p>
      )}
      <AuthForm
        mode={mode}
        knownEmail={knownEmail(state)}
        onModeChange={setMode}
        onSignedIn={considerOffer}
        onSigningUp={handleSigningUp}
        onSignUpFailed={forgetDraft}
        onConfirmationNeeded={(email) => {
          forgetDraft()
          setConfirming(email)
          setMode('sign-in')
        }}
        forgotten={(email) => (
          <Link to="/auth/forgot" state={{ email }} className="text-link -my-2.5 inline-flex min-h-11 items-center">
            Forgot your password?
          </Link>
        )}
        otherWays={(email) => <OtherWays state={{ from: cameFrom(state), email }} />}
      />
    </AuthFrame>
  )
}

/** Without a password: both are there for whoever has set nothing up, too. */
function OtherWays({ state }: { state: ReturnState & { email: string } }) {
  return (
    <div className="mt-6 grid gap-3 border-t border-line pt-6">
      <PasskeySignIn
        onSignedIn={() => toast.success('Welcome back!', { description: "You've successfully signed in." })}
      />
      <ButtonLink to="/auth/mail" state={state} variant="secondary" block>
        <Mail aria-hidden className="size-4.5" strokeWidth={1.75} />
        Get a link by mail
      </ButtonLink>
    </div>
  )
}

type ConfirmFirstProps = { email: string; onVerifying: () => void; onFailed: () => void; onBack: () => void }

/** Where the operator wants the address proven before the first session. */
function ConfirmFirst({ email, onVerifying, onFailed, onBack }: ConfirmFirstProps) {
  return (
    <AuthFrame title="Confirm your address" back={backToHome}>
      <MailedCodeForm
        purpose="confirmation"
        email={email}
        waitFirst={intervalSeconds}
        onVerifying={onVerifying}
        onFailed={onFailed}
        onVerified={() => toast.success('Account created!', { description: "Let's personalize your experience." })}
        aside={
          <Button variant="secondary" size="sm" onClick={onBack}>
            Back to sign in
          </Button>
        }
      >
        <p role="status" className="text-lg wrap-anywhere">
          We have written to <strong>{email}</strong>. Open the link in that mail, or type its six digits here, and your
          account is ready.
        </p>
      </MailedCodeForm>
    </AuthFrame>
  )
}
