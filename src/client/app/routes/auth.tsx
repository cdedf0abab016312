import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { asPlanKey, checkoutPath, planOfPath } from '#client/features/billing/subscriptions/checkout-path.ts'
import { ChosenPlan } from '#client/features/billing/subscriptions/chosen-plan.tsx'
import { AuthForm, type AuthMode } from '#client/features/identity/auth/auth-form.tsx'
import { EmailCodeForm } from '#client/features/identity/auth/email-code-form.tsx'
import { resendIntervalSeconds } from '#client/features/identity/auth/resend-delay.ts'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { CeremonyButton } from '#client/features/identity/passkeys/ceremony-button.tsx'
import { schedulePasskeyOffer } from '#client/features/identity/passkeys/passkey-offer-state.ts'
import {
  canSuggestPasskeys,
  canUsePasskeys,
  wasPasskeyUsedHere,
} from '#client/features/identity/passkeys/passkey-support.ts'
import { signInWithPasskey } from '#client/features/identity/passkeys/sign-in-with-passkey.ts'
import {
  clearDraft,
  emptyDraft,
  isDraftOf,
  type OnboardingDraft,
  readDraft,
  saveDraft,
} from '#client/features/reader/onboarding/onboarding-draft.ts'
import { preferencesQuery } from '#client/features/reader/preferences/preferences.api.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import type { PlanKey } from '#shared/domain/plans.ts'
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

type PasskeySignInProps = { onSignedIn: () => void }

/** Passkey button, plus browser autofill on devices that used a passkey before. Hidden without passkey support. */
function PasskeySignIn({ onSignedIn }: PasskeySignInProps) {
  const suggestion = useRef<AbortController>(undefined)
  const signedIn = useRef(onSignedIn)
  signedIn.current = onSignedIn

  useEffect(() => {
    const controller = new AbortController()
    suggestion.current = controller
    void suggest(controller.signal).then((done) => {
      if (done) signedIn.current()
    })
    return () => controller.abort()
  }, [])

  if (!canUsePasskeys()) return null

  const ceremony = () => {
    // Browsers run one ceremony at a time.
    suggestion.current?.abort()
    return signInWithPasskey({})
  }

  return <CeremonyButton label="Use a passkey" variant="secondary" ceremony={ceremony} onDone={onSignedIn} />
}

/** Offers passkeys in the email field for as long as the page is open. Resolves to false on any failure. */
async function suggest(signal: AbortSignal): Promise<boolean> {
  if (!wasPasskeyUsedHere() || !(await canSuggestPasskeys()) || signal.aborted) return false
  return signInWithPasskey({ signal, mediation: 'conditional' }).then(
    () => true,
    () => false,
  )
}

type Onboarding = {
  /** `unknown` while loading whether the questions were answered on another device. */
  status: 'none' | 'unknown' | 'open'
  draft: OnboardingDraft | null
  begin: (email: string, plan: PlanKey | null) => void
  /** Keeps the draft in storage until the email address is confirmed. */
  suspend: () => void
  forget: () => void
}

/**
 * Tells whether onboarding is due and returns its draft. Onboarding starts after a sign-up in this tab, resumes from the
 * draft in local storage, or starts over if a confirmation link was opened in another browser.
 */
function useOnboarding(arrivedByConfirmation: boolean): Onboarding {
  const { user } = useSession()
  const [begun, setBegun] = useState<OnboardingDraft | null>(null)
  const [kept, setKept] = useState(() => {
    const draft = readDraft()
    // The portal would lead here again.
    if (!draft) clearDraft()
    return draft
  })
  const email = user?.email ?? ''
  const isMine = (draft: OnboardingDraft | null) => user !== null && draft !== null && isDraftOf(draft, email)
  const isBegun = isMine(begun)
  const isResumed = !isBegun && (isMine(kept) || (user !== null && arrivedByConfirmation))
  const answers = useQuery({ ...preferencesQuery, enabled: isResumed })
  const isUndecided = isResumed && answers.isPending
  const isAnswered = isResumed && Boolean(answers.data)
  const chosenPlan = asPlanKey(user?.user_metadata.chosen_plan)

  useEffect(() => {
    if (!isResumed || isUndecided) return
    if (isAnswered) {
      clearDraft()
      setKept(null)
    } else {
      // Stays open until the last step: saving its answers must not end onboarding before checkout opens.
      setBegun(kept && isDraftOf(kept, email) ? kept : emptyDraft(email, chosenPlan))
    }
  }, [isResumed, isUndecided, isAnswered, kept, email, chosenPlan])

  return {
    status: isBegun ? 'open' : isResumed && !isAnswered ? 'unknown' : 'none',
    draft: isBegun ? begun : null,
    begin: (address, plan) => {
      const fresh = emptyDraft(address, plan)
      saveDraft(fresh)
      setBegun(fresh)
    },
    suspend: () => {
      setBegun(null)
      setKept(readDraft())
    },
    forget: () => {
      clearDraft()
      setBegun(null)
      setKept(null)
    },
  }
}
