import type { User } from '@supabase/auth-js'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { Link } from 'react-router'
import { securityOverviewQuery } from '#client/features/identity/auth/security-overview.api.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Section } from '#client/ui/section.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { useFocusWhenShown } from '#client/ui/use-focus-when-shown.ts'
import { useChangeEmail } from './account.api.ts'
import { PendingEmailChange } from './pending-email-change.tsx'

export function EmailSection({ user }: { user: User }) {
  const [open, setOpen] = useState(false)
  const { ref, focusWhenShown } = useFocusWhenShown()
  const { data: overview } = useQuery(securityOverviewQuery)
  const email = user.email ?? ''
  const isConfirmed = Boolean(user.email_confirmed_at)
  // Assume the strict rule while loading.
  const needsBoth = isConfirmed && overview?.secureEmailChange !== false
  return (
    <Section title="Email address" lede={ownWords`You sign in with it and receive your weekly drops there.`}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg [overflow-wrap:anywhere]">
        <span>{email || 'None yet'}</span>
        {email && (isConfirmed ? <Tag tone="primary">Confirmed</Tag> : <Tag tone="accent">Not confirmed yet</Tag>)}
      </p>
      {email && !isConfirmed && (
        <p className="mt-2 max-w-[60ch] text-muted">
          Until you confirm it, you can’t reset your password by email.{' '}
          <Link to="/auth/confirm" className="text-link">
            Enter the code from the email
          </Link>
        </p>
      )}
      {user.new_email && <PendingEmailChange currentEmail={needsBoth ? email : null} newEmail={user.new_email} />}
      {open ? (
        <EmailForm
          needsBoth={needsBoth}
          onClose={() => {
            focusWhenShown()
            setOpen(false)
          }}
        />
      ) : (
        <Button ref={ref} variant="secondary" className="mt-5" onClick={() => setOpen(true)}>
          {user.new_email ? 'Use a different email' : 'Change email'}
        </Button>
      )}
    </Section>
  )
}

function EmailForm({ needsBoth, onClose }: { needsBoth: boolean; onClose: () => void }) {
  const change = useChangeEmail()
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    if (!change.isPending) change.mutate(email, { onSuccess: onClose })
  }
  return (
    <div className="mt-5">
      <Panel label="Change email">
        <form onSubmit={handleSubmit} className="grid max-w-md gap-5">
          <TextField
            label="New email"
            name="email"
            type="email"
            autoComplete="email"
            inputMode="email"
            maxLength={320}
            required
            autoFocus
            hint={
              needsBoth
                ? 'We’ll email both your new and your current address. Nothing changes until you confirm both, so access to one inbox isn’t enough to take over your account.'
                : 'We’ll send a confirmation to it. Nothing changes until you confirm.'
            }
          />
          <FormError>{formErrorMessage(change.error)}</FormError>
          <FormActions action="Change email" pending={change.isPending} onCancel={onClose} />
        </form>
      </Panel>
    </div>
  )
}
