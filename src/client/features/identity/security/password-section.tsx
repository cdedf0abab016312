import { useState } from 'react'
import { NewPasswordField } from '#client/features/identity/auth/new-password-field.tsx'
import { useSignUpRules } from '#client/features/identity/auth/sign-up-rules.api.ts'
import { submitHandler, useSensitiveMutation } from '#client/lib/changes.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { orThrow } from '#client/lib/or-throw.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { FormActions } from '#client/ui/form.tsx'
import { Panel, Section } from '#client/ui/page-parts.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { useFocusWhenShown } from '#client/ui/use-focus-when-shown.ts'
import { type SecurityOverview, useRefreshSecurity } from './security.api.ts'

function useChangePassword() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async ({ password, current }: { password: string; current?: string }) => {
      const { auth } = await loadBackend()
      orThrow(await auth.updateUser({ password, ...(current ? { current_password: current } : {}) }))
    },
    onSuccess: refresh,
  })
}

type PasswordSectionProps = Pick<SecurityOverview, 'hasPassword' | 'stepUp'>

export function PasswordSection({ hasPassword, stepUp }: PasswordSectionProps) {
  const [open, setOpen] = useState(false)
  const { ref, focusWhenShown } = useFocusWhenShown()
  return (
    <Section
      title="Password"
      status={hasPassword ? 'Set' : 'Not set: you sign in by email'}
      lede={
        hasPassword
          ? 'Changing it signs you out on all other devices. We email you whenever it changes.'
          : 'With a password you can sign in without waiting for an email.'
      }
    >
      {open ? (
        <PasswordForm
          hasPassword={hasPassword}
          stepUp={stepUp}
          onClose={() => {
            focusWhenShown()
            setOpen(false)
          }}
        />
      ) : (
        <Button ref={ref} variant="secondary" onClick={() => setOpen(true)}>
          {hasPassword ? 'Change password' : 'Set a password'}
        </Button>
      )}
    </Section>
  )
}

type CurrentPassword = 'hidden' | 'required' | 'optional'

/**
 * Hidden after a recent step-up, and optional if the account can confirm another way. If the step-up expires before the
 * form is submitted, the server asks for a new one.
 */
function currentPasswordField(
  { hasPassword, stepUp: { validUntil, methods } }: PasswordSectionProps,
  now: Date,
): CurrentPassword {
  if (!hasPassword || (validUntil && new Date(validUntil) > now)) return 'hidden'
  return methods.some((method) => method !== 'password') ? 'optional' : 'required'
}

function PasswordForm({ hasPassword, stepUp, onClose }: PasswordSectionProps & { onClose: () => void }) {
  const { user } = useSession()
  const change = useChangePassword()
  const { passwordMinLength } = useSignUpRules()
  const email = user?.email ?? ''
  // Decided when the form opens, so that the field doesn't appear or vanish while typing.
  const [current] = useState(() => currentPasswordField({ hasPassword, stepUp }, new Date()))

  const handleSubmit = submitHandler(change, (_text, form) =>
    change.mutate(
      { password: String(form.get('password')), current: String(form.get('current') ?? '') },
      {
        onSuccess: () => {
          toast.success(hasPassword ? 'Your password was changed' : 'Your password was set', {
            id: 'password',
            description: 'You’ve been signed out on all other devices.',
          })
          onClose()
        },
      },
    ),
  )

  return (
    <Panel label={hasPassword ? 'Change password' : 'Set a password'}>
      <form onSubmit={handleSubmit} className="grid max-w-md gap-5">
        {/* Tells password managers which account this is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        {current !== 'hidden' && (
          <PasswordField
            label="Current password"
            name="current"
            autoComplete="current-password"
            maxLength={200}
            hint={
              current === 'optional'
                ? 'Don’t remember it? Leave it empty and confirm your identity another way.'
                : undefined
            }
            required={current === 'required'}
            autoFocus
          />
        )}
        <NewPasswordField
          label="New password"
          minLength={passwordMinLength}
          email={() => email}
          autoFocus={current === 'hidden'}
        />
        <FormActions action={hasPassword ? 'Change password' : 'Set password'} change={change} onCancel={onClose} />
      </form>
    </Panel>
  )
}
