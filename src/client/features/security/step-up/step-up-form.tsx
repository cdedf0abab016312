import { type SubmitEvent, useState } from 'react'
import { BackupCodeForm } from '#client/features/auth/backup-code-form.tsx'
import { CodeForm } from '#client/features/auth/code-form.tsx'
import { useSendTextMessage } from '#client/features/auth/mfa/verify-factor.api.ts'
import type { CodeSource } from '#client/features/auth/use-code-entry.ts'
import { CeremonyButton } from '#client/features/passkeys/ceremony-button.tsx'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { useSession } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { type StepUpCredential, useConfirmIdentity, useSendEmailCode } from './step-up.api.ts'
import type { StepUpOption } from './step-up-options.ts'

type WayProps<Kind extends StepUpOption['kind']> = {
  option: Extract<StepUpOption, { kind: Kind }>
  onConfirmed: () => void
}

/** The form of one way to show who one is. */
export function StepUpForm({ option, onConfirmed }: { option: StepUpOption; onConfirmed: () => void }) {
  switch (option.kind) {
    case 'password':
      return <WithPassword onConfirmed={onConfirmed} />
    case 'email-code':
      return <WithMailedCode onConfirmed={onConfirmed} />
    case 'backup-code':
      return <WithBackupCode onConfirmed={onConfirmed} />
    case 'totp':
      return (
        <WithCode
          label={option.name ? `Code from “${option.name}”` : 'Code from your authenticator app'}
          proof={(code) => ({ kind: 'totp', factorId: option.factorId, code })}
          onConfirmed={onConfirmed}
        />
      )
    case 'phone':
      return <WithPhone option={option} onConfirmed={onConfirmed} />
    case 'passkey':
      return (
        <WithKey
          label="Confirm with a passkey"
          hint="Your device asks for your finger, face or PIN."
          proof={{ kind: 'passkey' }}
          onConfirmed={onConfirmed}
        />
      )
    case 'webauthn':
      return (
        <WithKey
          label={option.name ? `Confirm with “${option.name}”` : 'Confirm with your security key'}
          hint="Plug it in or hold it to your device."
          proof={{ kind: 'webauthn', factorId: option.factorId }}
          onConfirmed={onConfirmed}
        />
      )
  }
}

function WithPassword({ onConfirmed }: { onConfirmed: () => void }) {
  const { user } = useSession()
  const prove = useConfirmIdentity()
  const [password, setPassword] = useState('')
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!prove.isPending) prove.mutate({ kind: 'password', password }, { onSuccess: onConfirmed })
  }
  return (
    <form onSubmit={handleSubmit} className="grid gap-5">
      {/* For the password manager: it fills in the password of this address and no other. */}
      <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        autoFocus
        required
        maxLength={200}
        value={password}
        error={formErrorMessage(prove.error)}
        onChange={(event) => {
          setPassword(event.target.value)
          if (prove.error) prove.reset()
        }}
      />
      <Button type="submit" pending={prove.isPending} block>
        Confirm
      </Button>
    </form>
  )
}

type WithCodeProps = {
  label: string
  hint?: string
  source?: CodeSource
  proof: (code: string) => StepUpCredential
  onConfirmed: () => void
}

function WithCode({ label, hint, source, proof, onConfirmed }: WithCodeProps) {
  const { mutateAsync } = useConfirmIdentity()
  const handleCode = (code: string) => mutateAsync(proof(code)).then(onConfirmed)
  return <CodeForm label={label} hint={hint} action="Confirm" source={source} onCode={handleCode} />
}

function WithMailedCode({ onConfirmed }: { onConfirmed: () => void }) {
  const { user } = useSession()
  const mail = useSendEmailCode()
  const mailbox = user?.email ?? 'your address'
  if (!mail.isSuccess) return <SendCode {...mail} label={`Send a code to ${mailbox}`} />
  return (
    <WithCode
      label="Code from the mail"
      hint={`We have written to ${mailbox}.`}
      proof={(code) => ({ kind: 'email-code', code })}
      onConfirmed={onConfirmed}
    />
  )
}

function WithPhone({ option, onConfirmed }: WayProps<'phone'>) {
  const { factorId, name } = option
  const text = useSendTextMessage(factorId)
  const challengeId = text.data
  if (challengeId === undefined) {
    return <SendCode {...text} label={name ? `Send a text message to “${name}”` : 'Send a text message'} />
  }
  return (
    <WithCode
      label="Code from the text message"
      source="text"
      proof={(code) => ({ kind: 'phone', factorId, challengeId, code })}
      onConfirmed={onConfirmed}
    />
  )
}

type SendCodeProps = { label: string; isPending: boolean; error: Error | null; mutate: () => void }

/** A message costs something, and may be read over somebody's shoulder: it goes out on a click, not by itself. */
function SendCode({ label, isPending, error, mutate }: SendCodeProps) {
  return (
    <div className="grid gap-3">
      <Button block pending={isPending} onClick={() => mutate()} className="[overflow-wrap:anywhere]">
        {label}
      </Button>
      <InlineError>{formErrorMessage(error)}</InlineError>
    </div>
  )
}

function WithBackupCode({ onConfirmed }: { onConfirmed: () => void }) {
  const { mutateAsync } = useConfirmIdentity()
  const handleCode = (code: string) => mutateAsync({ kind: 'backup-code', code }).then(onConfirmed)
  return <BackupCodeForm action="Confirm" onCode={handleCode} />
}

type WithKeyProps = { label: string; hint: string; proof: StepUpCredential; onConfirmed: () => void }

function WithKey({ label, hint, proof, onConfirmed }: WithKeyProps) {
  const { mutateAsync } = useConfirmIdentity()
  return <CeremonyButton label={label} hint={hint} autoFocus ceremony={() => mutateAsync(proof)} onDone={onConfirmed} />
}
