import { Mail } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { checkoutPath, planOfPath } from '#client/features/billing/subscriptions/checkout-path.ts'
import { ChosenPlan } from '#client/features/billing/subscriptions/chosen-plan.tsx'
import { AuthForm, type AuthMode } from '#client/features/identity/auth/auth-form.tsx'
import { EmailCodeForm } from '#client/features/identity/auth/email-code-form.tsx'
import { resendIntervalSeconds } from '#client/features/identity/auth/resend-delay.ts'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { schedulePasskeyOffer } from '#client/features/identity/passkeys/passkey-offer-state.ts'
import { PasskeySignIn } from '#client/features/identity/passkeys/passkey-sign-in.tsx'
import { clearDraft } from '#client/features/reader/onboarding/onboarding-draft.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { isAsked, questionNames } from '#shared/domain/questions.ts'
import { AuthFrame } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'
import {
  hasConfirmed,
  hasSessionEnded,
  joinedState,
  prefilledEmail,
  type ReturnState,
  returnPath,
  skipsQuestions,
  staffInvitationPath,
  wantsSignUp,
} from '../sign-in-location-state.ts'
import { useOnboarding } from '../use-onboarding.ts'
import { OnboardingWizard } from './onboarding-wizard.tsx'

const titles = { 'sign-in': 'Welcome back', 'sign-up': 'Create your account' } as const

/** Questions in the publisher's words may be about anything. */
const questionsTitle = Object.keys(publication.questions).length === 0 ? 'About your business' : 'A few questions'

const asksQuestions = questionNames.some((question) => isAsked(publication, question))

const backToHome = { to: '/', label: 'Back to home' } as const

/** Sign-in, sign-up and onboarding. Signed-in users continue to the portal, or to the checkout of their chosen plan. */
export function Component() {
  const session = useSession()
  const { status, user } = session
  const navigate = useNavigate()
  const { state } = useLocation()
  const [search] = useSearchParams()
  const signUpFirst = search.get('mode') === 'sign-up' || wantsSignUp(state)
  const [mode, setMode] = useState<AuthMode>(signUpFirst ? 'sign-up' : 'sign-in')
  const [confirming, setConfirming] = useState<string | null>(null)
  const isConfirmed = hasConfirmed(state)
  const onboarding = useOnboarding(isConfirmed)
  const chosenPlan = planOfPath(returnPath(state))
  const staff = useStaffRole()
  const hasNoQuestions = skipsQuestions(state, staff.role)
  // Staff who confirm their address go to the admin.
  const isUndecided = isConfirmed && user !== null && staff.status === 'unknown'
  useEffect(() => {
    // The portal would lead here again.
    if (user && hasNoQuestions) clearDraft()
  }, [user, hasNoQuestions])

  if (status === 'loading' || isUndecided) return <LoadingPage />
  if (!hasNoQuestions && onboarding.status === 'unknown') return <LoadingPage />
  if (!hasNoQuestions && onboarding.status === 'open' && onboarding.draft) {
    const { draft } = onboarding
    const next = draft.plan ? checkoutPath(draft.plan) : returnPath(state)
    return (
      <AuthFrame title={questionsTitle} wide>
        <OnboardingWizard
          draft={draft}
          next={draft.plan && <ChosenPlan plan={draft.plan} />}
          onFinished={() => navigate(next, { replace: true, state: joinedState })}
        />
      </AuthFrame>
    )
  }
  // After confirming, users without a plan go to the plans without an error.
  if (user) {
    const to = returnPath(state, isConfirmed && staff.role ? '/admin' : '/portal')
    return <Navigate to={to} replace state={isConfirmed ? joinedState : null} />
  }
  if (confirming) return <ConfirmSignUp email={confirming} onBack={() => setConfirming(null)} />
  return (
    <AuthFrame title={titles[mode]} back={backToHome}>
      {(hasSessionEnded(state) || (session.status === 'signed-out' && session.ended)) && (
        <p role="status" className="-mt-3 mb-8 text-lg text-muted">
          Your session has ended. Sign in again to continue.
        </p>
      )}
      {chosenPlan && (
        <p className="-mt-3 mb-8 text-lg text-muted">
          {mode === 'sign-up' ? 'You chose ' : 'Sign in to continue with '}
          <ChosenPlan plan={chosenPlan} />.{' '}
          {mode === 'sign-up' && (asksQuestions ? 'Next: a few questions, then checkout.' : 'Next: checkout.')}
        </p>
      )}
      <AuthForm
        mode={mode}
        prefilledEmail={prefilledEmail(state)}
        onModeChange={setMode}
        onSignedIn={schedulePasskeyOffer}
        chosenPlan={chosenPlan}
        confirmedPath={hasNoQuestions ? staffInvitationPath : '/portal'}
        onSigningUp={(email) => !hasNoQuestions && onboarding.begin(email, chosenPlan)}
        onSignUpFailed={onboarding.forget}
        onConfirmationNeeded={(email) => {
          onboarding.suspend()
          setConfirming(email)
          setMode('sign-in')
        }}
        forgotPasswordLink={(email) => (
          <Link to="/auth/forgot" state={{ email }} className="text-link -my-2.5 inline-flex min-h-11 items-center">
            Forgot your password?
          </Link>
        )}
        passwordlessOptions={(email) => <PasswordlessOptions state={{ from: returnPath(state), email }} />}
      />
    </AuthFrame>
  )
}

function PasswordlessOptions({ state }: { state: ReturnState & { email: string } }) {
  return (
    <div className="mt-6 grid gap-3 border-t border-line pt-6">
      <PasskeySignIn
        onSignedIn={() => toast.success('Welcome back!', { description: "You've successfully signed in." })}
      />
      <ButtonLink to="/auth/mail" state={state} variant="secondary" block>
        <Mail aria-hidden className="size-4.5" strokeWidth={1.75} />
        Email me a sign-in link
      </ButtonLink>
    </div>
  )
}

type ConfirmSignUpProps = { email: string; onBack: () => void }

/** Shown after sign-up if the server requires a confirmed email before the first session. */
function ConfirmSignUp({ email, onBack }: ConfirmSignUpProps) {
  return (
    <AuthFrame title="Confirm your email" back={backToHome}>
      <EmailCodeForm
        purpose="confirmation"
        email={email}
        waitFirst={resendIntervalSeconds}
        onVerified={() => toast.success('Account created!', { description: "Let's personalize your experience." })}
        aside={
          <Button variant="secondary" size="sm" onClick={onBack}>
            Back to sign in
          </Button>
        }
      >
        <p role="status" className="text-lg wrap-anywhere">
          We sent an email to <strong>{email}</strong>. Open its link, or enter its six-digit code here, to finish
          creating your account.
        </p>
      </EmailCodeForm>
    </AuthFrame>
  )
}
