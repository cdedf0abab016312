import { type SubmitEvent, useState } from 'react'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { type Credentials, useSignIn, useSignUp } from './auth.api.ts'

export type AuthMode = 'sign-in' | 'sign-up'

type AuthFormProps = {
  mode: AuthMode
  onModeChange: (mode: AuthMode) => void
  /** Before the account is asked for: the session may be there before the answer is. */
  onSigningUp: (email: string) => void
  onSignUpFailed: () => void
  onConfirmationNeeded: (email: string) => void
}

const passwordMinLength = 6

/** E-mail and password. The browser checks the form (spec §5), the service has the last word, and what was typed stays. */
export function AuthForm({ mode, onModeChange, onSigningUp, onSignUpFailed, onConfirmationNeeded }: AuthFormProps) {
  const signIn = useSignIn()
  const signUp = useSignUp()
  const [problem, setProblem] = useState<string | null>(null)
  const pending = signIn.isPending || signUp.isPending
  const isSignUp = mode === 'sign-up'

  const enter = async (credentials: Credentials) => {
    if (!isSignUp) {
      await signIn.mutateAsync(credentials)
      toast.success('Welcome back!', { description: "You've successfully signed in." })
      return
    }
    onSigningUp(credentials.email)
    const { signedIn } = await signUp.mutateAsync(credentials).catch((error: unknown) => {
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
      await enter({ email: String(data.get('email')).trim(), password: String(data.get('password')) })
    } catch (error) {
      const message =
        error instanceof Error && error.message ? error.message : 'Something went wrong. Please try again.'
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
      <form onSubmit={handleSubmit} aria-describedby="auth-problem" className="grid gap-5">
        <TextField label="Email" name="email" type="email" autoComplete="username" inputMode="email" required />
        <PasswordField
          // Another autocomplete value asks the password manager for something else: a fresh field, the same text.
          label="Password"
          name="password"
          autoComplete={isSignUp ? 'new-password' : 'current-password'}
          minLength={passwordMinLength}
          hint={isSignUp ? `At least ${passwordMinLength} characters.` : undefined}
          required
        />
        <p
          id="auth-problem"
          role="alert"
          className="border-l-3 border-danger bg-danger-soft px-4 py-3 font-medium text-danger empty:hidden"
        >
          {problem}
        </p>
        <Button type="submit" pending={pending} block>
          {isSignUp ? 'Sign Up' : 'Sign In'}
        </Button>
      </form>
      <Button variant="quiet" block className="mt-3" onClick={handleToggle}>
        {isSignUp ? 'Already have an account? Sign in' : 'Need an account? Sign up'}
      </Button>
    </>
  )
}
