import { type SubmitEvent, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { useSetPassword } from '#client/features/identity/auth/auth.api.ts'
import { usePendingMfa } from '#client/features/identity/auth/mfa/pending-mfa.api.ts'
import { NewPasswordField } from '#client/features/identity/auth/new-password-field.tsx'
import { useSignUpRules } from '#client/features/identity/auth/sign-up-rules.api.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { AuthFrame, backToSignIn } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'
import { invitationPath, joinedState, type ReturnState } from '../sign-in-location-state.ts'

const here: ReturnState = { from: '/reset-password' }

/** Chooses a password after a reset email or an invitation. Without a session, leads to requesting the email. */
export function Component() {
  const { status, user } = useSession()
  const invitedTo = invitationPath(useLocation().state)
  const pendingMfa = usePendingMfa()
  if (status === 'loading' || pendingMfa === 'unknown') return <LoadingPage />
  if (!user) return <RequestEmailFirst />
  if (pendingMfa === 'required') return <Navigate to="/auth/second-step" replace state={here} />
  return (
    <ChoosePassword
      email={user.email ?? ''}
      texts={invitedTo ? firstPasswordTexts : resetTexts}
      next={invitedTo ?? '/portal'}
    />
  )
}

const resetTexts = {
  title: 'Choose a new password',
  lead: 'Saving it signs you out on all other devices.',
  label: 'New password',
  button: 'Save new password',
  saved: 'Your password was changed.',
  effect: 'You’ve been signed out on all other devices.',
  skipLabel: null,
}

const firstPasswordTexts = {
  title: 'Choose a password',
  lead: 'Use it to sign in on any device.',
  label: 'Password',
  button: 'Save password',
  saved: 'Your password was set.',
  effect: 'Welcome!',
  skipLabel: 'Not now',
}

function RequestEmailFirst() {
  return (
    <AuthFrame title="Choose a new password" back={backToSignIn}>
      <p className="mb-8 text-lg text-muted">
        To choose a new password, first confirm that the account is yours with a link or code we email you.
      </p>
      <ButtonLink to="/auth/forgot" block>
        Request the email
      </ButtonLink>
    </AuthFrame>
  )
}

type ChoosePasswordProps = { email: string; texts: typeof resetTexts | typeof firstPasswordTexts; next: string }

function ChoosePassword({ email, texts, next }: ChoosePasswordProps) {
  const navigate = useNavigate()
  const choose = useSetPassword()
  const { passwordMinLength } = useSignUpRules()
  const [message, setMessage] = useState<string | undefined>()
  const [isExpired, setIsExpired] = useState(false)

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (choose.isPending) return
    const password = String(new FormData(event.currentTarget).get('password'))
    setMessage(undefined)
    try {
      await choose.mutateAsync(password)
    } catch (error) {
      const { code } = (error ?? {}) as { code?: unknown }
      if (code === 'reauthentication_needed') setIsExpired(true)
      else setMessage(errorMessage(error))
      return
    }
    toast.success(texts.saved, { description: texts.effect })
    navigate(next, { replace: true, state: joinedState })
  }

  if (isExpired) {
    return (
      <AuthFrame title={texts.title}>
        <p role="alert" className="mb-8 text-lg">
          It’s been a while since you confirmed your identity. Request a new email to change your password.
        </p>
        <ButtonLink to="/auth/forgot" state={{ email }} block>
          Request a new email
        </ButtonLink>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title={texts.title} back={texts.skipLabel ? { to: next, label: texts.skipLabel } : undefined}>
      <p className="-mt-3 mb-8 text-lg text-muted wrap-anywhere">
        For <strong className="font-semibold text-ink">{email}</strong>. {texts.lead}
      </p>
      <form onSubmit={handleSubmit} className="grid gap-5">
        {/* Tells password managers which account this is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField
          label={texts.label}
          minLength={passwordMinLength}
          email={() => email}
          error={message}
          onType={() => setMessage(undefined)}
        />
        <Button type="submit" pending={choose.isPending} block>
          {texts.button}
        </Button>
      </form>
    </AuthFrame>
  )
}
