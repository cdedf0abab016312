import { type SubmitEvent, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { usePendingMfa } from '#client/features/auth/mfa/pending-mfa.api.ts'
import { NewPasswordField } from '#client/features/auth/new-password-field.tsx'
import { useSetPassword } from '#client/features/auth/reset-password.api.ts'
import { useSignUpRules } from '#client/features/auth/sign-up-rules.api.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { AuthFrame, backToSignIn } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'
import type { ReturnState } from '../location-state.ts'
import { invitationPath } from '../location-state.ts'

const here: ReturnState = { from: '/reset-password' }

/**
 * The link of the mail leads here with a session, and so does its code; the link of an invitation, too, for the first
 * password. Whoever comes without a session asks for a mail.
 */
export function Component() {
  const { status, user } = useSession()
  const invitedTo = invitationPath(useLocation().state)
  const pendingMfa = usePendingMfa()
  if (status === 'loading' || pendingMfa === 'unknown') return <LoadingPage />
  if (!user) return <AskFirst />
  if (pendingMfa === 'required') return <Navigate to="/auth/second-step" replace state={here} />
  return <ChoosePassword email={user.email ?? ''} words={invitedTo ? first : another} next={invitedTo ?? '/portal'} />
}

const another = {
  title: 'Choose a new password',
  lead: 'When you save it, every other device is signed out.',
  label: 'New password',
  button: 'Save new password',
  saved: 'Your new password is set.',
  effect: 'Other devices have been signed out.',
  later: null,
}

const first = {
  title: 'Choose a password',
  lead: 'With it you come in on any device.',
  label: 'Password',
  button: 'Save password',
  saved: 'Your password is set.',
  effect: 'Welcome!',
  later: 'Not now',
}

function AskFirst() {
  return (
    <AuthFrame title="Choose a new password" back={backToSignIn}>
      <p className="mb-8 text-lg text-muted">
        This page opens with a mail from us: it has a link and a code that prove that the account is yours.
      </p>
      <ButtonLink to="/auth/forgot" block>
        Ask for that mail
      </ButtonLink>
    </AuthFrame>
  )
}

type ChoosePasswordProps = { email: string; words: typeof another | typeof first; next: string }

function ChoosePassword({ email, words, next }: ChoosePasswordProps) {
  const navigate = useNavigate()
  const choose = useSetPassword()
  const { passwordMinLength } = useSignUpRules()
  const [problem, setProblem] = useState<string | undefined>()
  const [tooOld, setTooOld] = useState(false)

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (choose.isPending) return
    const password = String(new FormData(event.currentTarget).get('password'))
    setProblem(undefined)
    try {
      await choose.mutateAsync(password)
    } catch (error) {
      const { code } = (error ?? {}) as { code?: unknown }
      if (code === 'reauthentication_needed') setTooOld(true)
      else setProblem(errorMessage(error))
      return
    }
    toast.success(words.saved, { description: words.effect })
    navigate(next, { replace: true })
  }

  if (tooOld) {
    return (
      <AuthFrame title={words.title}>
        <p role="alert" className="mb-8 text-lg">
          It has been a while since you proved that it is you. Ask for a mail with a new link and code, and the change
          goes through.
        </p>
        <ButtonLink to="/auth/forgot" state={{ email }} block>
          Ask for a mail
        </ButtonLink>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title={words.title} back={words.later ? { to: next, label: words.later } : undefined}>
      <p className="-mt-3 mb-8 text-lg text-muted wrap-anywhere">
        For <strong className="font-semibold text-ink">{email}</strong>. {words.lead}
      </p>
      <form onSubmit={handleSubmit} className="grid gap-5">
        {/* Tells the password manager which account the new password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField
          label={words.label}
          minLength={passwordMinLength}
          email={() => email}
          error={problem}
          onType={() => setProblem(undefined)}
        />
        <Button type="submit" pending={choose.isPending} block>
          {words.button}
        </Button>
      </form>
    </AuthFrame>
  )
}
