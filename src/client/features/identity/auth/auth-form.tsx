import { type ReactNode, type SubmitEvent, useEffect, useState } from 'react'
import { errorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError, TextField } from '#client/ui/form.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { honeypotField } from '#shared/domain/bot-protection.ts'
import { isAsked, questionNames } from '#shared/domain/questions.ts'
import { type Credentials, useSignIn, useSignUp } from './auth.api.ts'
import { usePasswordAdvice } from './password-advice.tsx'
import { useSignUpRules } from './sign-up-rules.api.ts'

const asksQuestions = questionNames.some((question) => isAsked(publication, question))

export type AuthMode = 'sign-in' | 'sign-up'

type AuthFormProps = {
  mode: AuthMode
  /** Initial value of the email field. */
  prefilledEmail?: string
  /** Stored with a new account. */
  chosenPlan: string | null
  /** The page that the link in the confirmation email of a new account opens. */
  confirmedPath: string
  onModeChange: (mode: AuthMode) => void
  onSignedIn: () => void
  /** Called before the request, because the session can arrive before the response. */
  onSigningUp: (email: string) => void
  onSignUpFailed: () => void
  onConfirmationNeeded: (email: string) => void
  /** Shown below the password; gets the email typed so far. */
  forgotPasswordLink: (email: string) => ReactNode
  /** Shown below the form; gets the email typed so far. */
  passwordlessOptions: (email: string) => ReactNode
}

const passwordMinLength = 6
const toastId = 'auth'

/** The browser validates the form, the server decides, and a failed attempt keeps what was typed. */
export function AuthForm(props: AuthFormProps) {
  const {
    mode,
    prefilledEmail = '',
    onModeChange,
    onSignedIn,
    onSigningUp,
    onSignUpFailed,
    onConfirmationNeeded,
  } = props
  const signIn = useSignIn()
  const signUp = useSignUp()
  const [error, setError] = useState<string | null>(null)
  const [email, setEmail] = useState(prefilledEmail)
  const isSignUp = mode === 'sign-up'
  const rules = useSignUpRules(isSignUp)
  const minLength = isSignUp ? rules.passwordMinLength : passwordMinLength
  const { hint, advise } = usePasswordAdvice(minLength, () => email)
  const pending = signIn.isPending || signUp.isPending
  const closed = isSignUp && !rules.open

  const enter = async (credentials: Credentials, honeypot: string) => {
    if (!isSignUp) {
      const { awaitsMfa } = await signIn.mutateAsync(credentials)
      if (!awaitsMfa) toast.success('Welcome back!', { description: "You've successfully signed in." })
      onSignedIn()
      return
    }
    onSigningUp(credentials.email)
    const { signedIn } = await signUp
      .mutateAsync({ ...credentials, honeypot, chosenPlan: props.chosenPlan, confirmedPath: props.confirmedPath })
      .catch((error: unknown) => {
        onSignUpFailed()
        throw error
      })
    if (signedIn)
      toast.success(
        'Account created!',
        asksQuestions ? { description: "Let's personalize your experience." } : undefined,
      )
    else onConfirmationNeeded(credentials.email)
  }

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (pending) return
    const data = new FormData(event.currentTarget)
    setError(null)
    try {
      await enter(
        { email: String(data.get('email')).trim(), password: String(data.get('password')) },
        String(data.get(honeypotField) ?? ''),
      )
    } catch (error) {
      const message = errorMessage(error)
      setError(adviceFor(error) ?? message)
      toast.error('Error', { id: toastId, description: message })
    }
  }

  // Its message is about this form, so it doesn't follow to another page.
  useEffect(() => () => toast.hide(toastId), [])

  const handleToggle = () => {
    setError(null)
    toast.hide(toastId)
    onModeChange(isSignUp ? 'sign-in' : 'sign-up')
  }

  return (
    <>
      {closed ? (
        <p role="status" className="text-lg">
          Sign-ups are closed right now. If you already have an account, sign in as usual.
        </p>
      ) : (
        <form onSubmit={handleSubmit} aria-describedby="auth-error" className="grid gap-5">
          <TextField
            label="Email"
            name="email"
            type="email"
            // `webauthn` lets the browser suggest passkeys in this field.
            autoComplete={isSignUp ? 'username' : 'username webauthn'}
            inputMode="email"
            defaultValue={prefilledEmail}
            onChange={(event) => setEmail(event.currentTarget.value)}
            required
          />
          <PasswordField
            label="Password"
            name="password"
            autoComplete={isSignUp ? 'new-password' : 'current-password'}
            minLength={minLength}
            hint={isSignUp ? hint : props.forgotPasswordLink(email)}
            onChange={(event) => advise(event.currentTarget.value)}
            required
          />
          {isSignUp && <Honeypot />}
          <FormError id="auth-error">{error}</FormError>
          <Button type="submit" pending={pending} block>
            {isSignUp ? 'Sign Up' : 'Sign In'}
          </Button>
        </form>
      )}
      <Button variant="quiet" block className="mt-3" onClick={handleToggle}>
        {isSignUp ? 'Already have an account? Sign in' : 'Need an account? Sign up'}
      </Button>
      {!isSignUp && props.passwordlessOptions(email)}
    </>
  )
}

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code

/** The next step, beside the form; the notification has the server's message. */
const advice: Record<string, string> = {
  invalid_credentials: 'That email and password don’t match. Try again, or reset your password.',
  user_already_exists: 'This email already has an account. Sign in instead.',
}
const adviceFor = (error: unknown) => advice[String(codeOf(error))]

/** Honeypot: bots fill it in, people can't see or reach it. */
function Honeypot() {
  return (
    <div aria-hidden className="sr-only">
      <label>
        Leave this empty
        <input type="text" name={honeypotField} className="sr-only" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  )
}
