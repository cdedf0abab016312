import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import { AuthForm, type AuthMode } from '#client/features/auth/auth-form.tsx'
import {
  clearDraft,
  emptyDraft,
  type OnboardingDraft,
  readDraft,
  saveDraft,
} from '#client/features/onboarding/draft.ts'
import { useSession } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import { SiteFrame } from '../layouts/site-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'
import { pageTitle } from '../route-effects.tsx'
import { OnboardingWizard } from './onboarding-wizard.tsx'

const titles = { 'sign-in': 'Welcome back', 'sign-up': 'Create your account' } as const

/** Sign in, sign up and, after signing up, three questions. Whoever comes with a session goes on to the portal. */
export function Component() {
  const { status, user } = useSession()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [mode, setMode] = useState<AuthMode>(search.get('mode') === 'sign-up' ? 'sign-up' : 'sign-in')
  // There is a draft from the moment an account is asked for until the last step: it keeps people from the portal.
  const [draft, setDraft] = useState<OnboardingDraft | null>(readDraft)
  const [confirming, setConfirming] = useState<string | null>(null)
  const onboarding = user !== null && draft !== null && draft.email.toLowerCase() === user.email?.toLowerCase()
  const title = onboarding ? 'About your business' : confirming ? 'Confirm your address' : titles[mode]

  useEffect(() => {
    document.title = pageTitle(title)
  }, [title])

  if (status === 'loading') return <LoadingPage />
  if (user && !onboarding) return <Navigate to="/portal" replace />

  const handleSigningUp = (email: string) => {
    const fresh = emptyDraft(email)
    saveDraft(fresh)
    setDraft(fresh)
  }
  const forgetDraft = () => {
    clearDraft()
    setDraft(null)
  }

  return (
    <SiteFrame>
      <div className="page pt-6 pb-16 sm:pt-10 sm:pb-24">
        <div className={onboarding ? 'mx-auto max-w-2xl' : 'mx-auto max-w-sm'}>
          {!onboarding && (
            <Link
              to="/"
              className="-ml-1 inline-flex min-h-11 items-center gap-1.5 rounded-sm text-muted hover:text-ink"
            >
              <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
              Back to home
            </Link>
          )}
          <h1 className="display mt-4 mb-8 text-3xl">{title}</h1>
          {onboarding ? (
            <OnboardingWizard draft={draft} onFinished={() => navigate('/portal', { replace: true })} />
          ) : confirming ? (
            <ConfirmAddress email={confirming} onBack={() => setConfirming(null)} />
          ) : (
            <AuthForm
              mode={mode}
              onModeChange={setMode}
              onSigningUp={handleSigningUp}
              onSignUpFailed={forgetDraft}
              onConfirmationNeeded={(email) => {
                forgetDraft()
                setConfirming(email)
                setMode('sign-in')
              }}
            />
          )}
        </div>
      </div>
    </SiteFrame>
  )
}

function ConfirmAddress({ email, onBack }: { email: string; onBack: () => void }) {
  return (
    <div role="status">
      <p className="text-lg">
        We have written to <strong>{email}</strong>. Open the link in that mail and your account is ready.
      </p>
      <p className="mt-3 text-muted">Nothing there after a few minutes? Look among the unwanted mail.</p>
      <Button variant="secondary" className="mt-6" onClick={onBack}>
        Back to sign in
      </Button>
    </div>
  )
}
