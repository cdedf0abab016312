import { type SubmitEvent, useState } from 'react'
import { NewPasswordField } from '#client/features/auth/new-password-field.tsx'
import { useSignUpRules } from '#client/features/auth/sign-up-rules.api.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { Section } from '#client/ui/section.tsx'
import { type SecurityOverview, useChangePassword } from './security.api.ts'

type PasswordSectionProps = Pick<SecurityOverview, 'hasPassword' | 'stepUp'>

export function PasswordSection({ hasPassword, stepUp }: PasswordSectionProps) {
  const [open, setOpen] = useState(false)
  return (
    <Section
      title="Password"
      status={hasPassword ? 'Set' : 'Not set: you sign in by mail'}
      lede={
        hasPassword
          ? 'Changing it signs out every other device. We write to you whenever it is changed.'
          : 'With a password you can sign in without waiting for a mail.'
      }
    >
      {open ? (
        <PasswordForm hasPassword={hasPassword} stepUp={stepUp} onClose={() => setOpen(false)} />
      ) : (
        <Button variant="secondary" onClick={() => setOpen(true)}>
          {hasPassword ? 'Change password' : 'Set a password'}
        </Button>
      )}
    </Section>
  )
}

type Current = 'not-asked' | 'asked' | 'optional'

/**
 * Somebody who has just shown who they are is not asked again; somebody who came by passkey may not know their password.
 * Should it be too late when the form is sent, the server asks for itself.
 */
function currentPassword({ hasPassword, stepUp: { validUntil, methods } }: PasswordSectionProps, now: Date): Current {
  if (!hasPassword || (validUntil && new Date(validUntil) > now)) return 'not-asked'
  return methods.some((method) => method !== 'password') ? 'optional' : 'asked'
}

function PasswordForm({ hasPassword, stepUp, onClose }: PasswordSectionProps & { onClose: () => void }) {
  const { user } = useSession()
  const change = useChangePassword()
  const { passwordMinLength } = useSignUpRules()
  const email = user?.email ?? ''
  // As it was when the form opened: a field must not come or go under somebody's fingers.
  const [current] = useState(() => currentPassword({ hasPassword, stepUp }, new Date()))

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (change.isPending) return
    const data = new FormData(event.currentTarget)
    change.mutate(
      { password: String(data.get('password')), current: String(data.get('current') ?? '') },
      {
        onSuccess: () => {
          toast.success(hasPassword ? 'Your password is changed' : 'Your password is set', {
            id: 'password',
            description: 'Every other device has been signed out.',
          })
          onClose()
        },
      },
    )
  }

  return (
    <Panel label={hasPassword ? 'Change password' : 'Set a password'}>
      <form onSubmit={handleSubmit} className="grid max-w-md gap-5">
        {/* Tells the password manager whose password this is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        {current !== 'not-asked' && (
          <PasswordField
            label="Current password"
            name="current"
            autoComplete="current-password"
            maxLength={200}
            hint={
              current === 'optional'
                ? 'Not at hand? Leave it empty, and confirm another way that it is you.'
                : undefined
            }
            required={current === 'asked'}
            autoFocus
          />
        )}
        <NewPasswordField
          label="New password"
          minLength={passwordMinLength}
          email={() => email}
          autoFocus={current === 'not-asked'}
        />
        <FormError>{formErrorMessage(change.error)}</FormError>
        <FormActions
          action={hasPassword ? 'Change password' : 'Set password'}
          pending={change.isPending}
          onCancel={onClose}
        />
      </form>
    </Panel>
  )
}
