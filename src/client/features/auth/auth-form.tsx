import { type ReactNode, type SubmitEvent, useState } from 'react'
import { errorMessage } from '#client/lib/error-message.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { honeypotField } from '#shared/domain/bot-protection.ts'
import { type Credentials, useSignIn, useSignUp } from './auth.api.ts'
import { usePasswordAdvice } from './password-advice.tsx'
import { useSignUpRules } from './sign-up-rules.api.ts'

export type AuthMode = 'sign-in' | 'sign-up'

type AuthFormProps = {
  mode: AuthMode
  /** To begin with; it can be changed. */
  prefilledEmail?: string
  /** What a visitor chose before; named in the sign-up. */
  chosenPlan: string | null
  onModeChange: (mode: AuthMode) => void
  onSignedIn: () => void
  /** Before the account is asked for: the session may be there before the answer is. */
  onSigningUp: (email: string) => void
  onSignUpFailed: () => void
  onConfirmationNeeded: (email: string) => void
  /** The way out for whoever does not know the password, with the address typed so far. */
  forgotten: (email: string) => ReactNode
  /** Below the form, for whoever would rather not type a password. */
  otherWays: (email: string) => ReactNode
}

const passwordMinLength = 6

/** E-mail and password. The browser checks the form (spec §5), the service has the last word, and what was typed stays. */
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
  const [problem, setProblem] = useState<string | null>(null)
  const [email, setEmail] = useState(prefilledEmail)
  const isSignUp = mode === 'sign-up'
  const rules = useSignUpRules(isSignUp)
  const minLength = isSignUp ? rules.passwordMinLength : passwordMinLength
  const { hint, advise } = usePasswordAdvice(minLength, () => email)
  const pending = signIn.isPending || signUp.isPending
  const closed = isSignUp && !rules.open

  const enter = async (credentials: Credentials, trap: string) => {
    if (!isSignUp) {
      const { halfWay } = await signIn.mutateAsync(credentials)
      // With a second step to come it is too early to say so.
      if (!halfWay) toast.success('Welcome back!', { description: "You've successfully signed in." })
      onSignedIn()
      return
    }
    onSigningUp(credentials.email)
    const { signedIn } = await signUp
      .mutateAsync({ ...credentials, trap, chosenPlan: props.chosenPlan })
      .catch((error: unknown) => {
        onSignUpFailed()
        throw error
      })
    if (signedIn) toast.success('Account created!', { description: "Let's personalize your experience." })
    else onConfirmationNeeded(credentials.email)
  }

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (pending) return
    const data = new FormData(event.currentTarget)
    setProblem(null)
    try {
      await enter(
        { email: String(data.get('email')).trim(), password: String(data.get('password')) },
        String(data.get(honeypotField) ?? ''),
      )
    } catch (error) {
      const message = errorMessage(error)
      setProblem(message)
      toast.error('Error', { id: 'auth', description: message })
    }
  }

  const handleToggle = () => {
    setProblem(null)
    onModeChange(isSignUp ? 'sign-in' : 'sign-up')
  }

  return (
    <>
      {closed ? (
        <p role="status" className="text-lg">
          New accounts cannot be made at the moment. If you have one already, sign in as always.
        </p>
      ) : (
        <form onSubmit={handleSubmit} aria-describedby="auth-problem" className="grid gap-5">
          <TextField
            label="Email"
            name="email"
            type="email"
            // The last word lets the browser offer passkeys among its suggestions.
            autoComplete={isSignUp ? 'username' : 'username webauthn'}
            inputMode="email"
            defaultValue={prefilledEmail}
            onChange={(event) => setEmail(event.currentTarget.value)}
            required
          />
          <PasswordField
            // Another autocomplete value asks the password manager for something else: a fresh field, the same text.
            label="Password"
            name="password"
            autoComplete={isSignUp ? 'new-password' : 'current-password'}
            minLength={minLength}
            hint={isSignUp ? hint : props.forgotten(email)}
            onChange={(event) => advise(event.currentTarget.value)}
            required
          />
          {isSignUp && <Trap />}
          <FormError id="auth-problem">{problem}</FormError>
          <Button type="submit" pending={pending} block>
            {isSignUp ? 'Sign Up' : 'Sign In'}
          </Button>
        </form>
      )}
      <Button variant="quiet" block className="mt-3" onClick={handleToggle}>
        {isSignUp ? 'Already have an account? Sign in' : 'Need an account? Sign up'}
      </Button>
      {!isSignUp && props.otherWays(email)}
    </>
  )
}

/** A field for programs, which fill in whatever they find: no eye, no keyboard and no screen reader comes to it. */
function Trap() {
  return (
    <div aria-hidden className="sr-only">
      <label>
        Leave this empty
        <input type="text" name={honeypotField} className="sr-only" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  )
}
