import { PasswordField } from '#client/ui/password-field.tsx'
import { usePasswordAdvice } from './password-advice.tsx'

type NewPasswordFieldProps = {
  label: string
  minLength: number
  email: () => string
  error?: string
  autoFocus?: boolean
  onType?: () => void
}

/** A password field with a strength hint. */
export function NewPasswordField({ label, minLength, email, error, autoFocus, onType }: NewPasswordFieldProps) {
  const { hint, advise } = usePasswordAdvice(minLength, email)
  return (
    <PasswordField
      label={label}
      name="password"
      autoComplete="new-password"
      minLength={minLength}
      hint={hint}
      error={error}
      autoFocus={autoFocus}
      onChange={(event) => {
        onType?.()
        advise(event.currentTarget.value)
      }}
      required
    />
  )
}
