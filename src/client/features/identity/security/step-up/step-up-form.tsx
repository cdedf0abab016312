import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { BackupCodeForm } from '#client/features/identity/auth/backup-code-form.tsx'
import {
  useSendTextMessage,
  verifyBackupCode,
  verifySecurityKey,
  verifyTextMessage,
  verifyTotp,
} from '#client/features/identity/auth/mfa/verify-factor.api.ts'
import { CodeForm } from '#client/features/identity/auth/six-digit-code-form.tsx'
import type { CodeSource } from '#client/features/identity/auth/use-six-digit-code.ts'
import { CeremonyButton } from '#client/features/identity/passkeys/ceremony-button.tsx'
import { signPasskeyChallenge } from '#client/features/identity/passkeys/passkeys.api.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { useSession } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { confirmIdentityCall } from '#shared/contracts/identity/account-security.ts'
import { useRefreshSecurity } from '../security.api.ts'
import type { StepUpOption } from './step-up-options.ts'

function useSendEmailCode() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: ['email-code'],
    mutationFn: async () => {
      // A form that mounts twice must not send two emails.
      if (queryClient.isMutating({ mutationKey: ['email-code'] }) > 1) return
      const { error } = await (await loadBackend()).auth.reauthenticate()
      if (error) throw error
    },
  })
}

type StepUpCredential =
  | { kind: 'password'; password: string }
  | { kind: 'email-code'; code: string }
  | { kind: 'backup-code'; code: string }
  | { kind: 'passkey' }
  | { kind: 'webauthn'; factorId: string }
  | { kind: 'totp'; factorId: string; code: string }
  | { kind: 'phone'; factorId: string; challengeId: string; code: string }

/** Second factors use the auth protocol, the other credentials confirm-identity. */
async function confirmIdentity(credential: StepUpCredential): Promise<void> {
  switch (credential.kind) {
    case 'password':
      await invoke(confirmIdentityCall, { method: 'password', password: credential.password })
      return
    case 'email-code':
      await invoke(confirmIdentityCall, { method: 'email-code', code: credential.code })
      return
    case 'passkey':
      await invoke(confirmIdentityCall, { method: 'passkey', ...(await signPasskeyChallenge()) })
      return
    case 'backup-code':
      await verifyBackupCode(credential.code)
      return
    case 'webauthn':
      return verifySecurityKey(credential.factorId)
    case 'totp':
      return verifyTotp(credential.factorId, credential.code)
    case 'phone':
      return verifyTextMessage(credential.factorId, credential.challengeId, credential.code)
  }
}

function useConfirmIdentity() {
  const refresh = useRefreshSecurity()
  return useMutation<void, Error, StepUpCredential>({
    mutationFn: confirmIdentity,
    onSuccess: () => {
      // The pending action continues at once, without waiting for this.
      void refresh()
    },
  })
}

type OptionProps<Kind extends StepUpOption['kind']> = {
  option: Extract<StepUpOption, { kind: Kind }>
  onConfirmed: () => void
}

export function StepUpForm({ option, onConfirmed }: { option: StepUpOption; onConfirmed: () => void }) {
  switch (option.kind) {
    case 'password':
      return <PasswordConfirmation onConfirmed={onConfirmed} />
    case 'email-code':
      return <EmailCodeConfirmation onConfirmed={onConfirmed} />
    case 'backup-code':
      return <BackupCodeConfirmation onConfirmed={onConfirmed} />
    case 'totp':
      return (
        <CodeConfirmation
          label={option.name ? `Code from “${option.name}”` : 'Code from your authenticator app'}
          credential={(code) => ({ kind: 'totp', factorId: option.factorId, code })}
          onConfirmed={onConfirmed}
        />
      )
    case 'phone':
      return <PhoneConfirmation option={option} onConfirmed={onConfirmed} />
    case 'passkey':
      return (
        <WebauthnConfirmation
          label="Confirm with a passkey"
          hint="Your device asks for your fingerprint, face, or PIN."
          credential={{ kind: 'passkey' }}
          onConfirmed={onConfirmed}
        />
      )
    case 'webauthn':
      return (
        <WebauthnConfirmation
          label={option.name ? `Confirm with “${option.name}”` : 'Confirm with your security key'}
          hint="Plug it in or hold it to your device."
          credential={{ kind: 'webauthn', factorId: option.factorId }}
          onConfirmed={onConfirmed}
        />
      )
  }
}

function PasswordConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const { user } = useSession()
  const confirm = useConfirmIdentity()
  const [password, setPassword] = useState('')
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!confirm.isPending) confirm.mutate({ kind: 'password', password }, { onSuccess: onConfirmed })
  }
  return (
    <form onSubmit={handleSubmit} className="grid gap-5">
      {/* Tells password managers which account this is. */}
      <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        autoFocus
        required
        maxLength={200}
        value={password}
        error={formErrorMessage(confirm.error)}
        onChange={(event) => {
          setPassword(event.target.value)
          if (confirm.error) confirm.reset()
        }}
      />
      <Button type="submit" pending={confirm.isPending} block>
        Confirm
      </Button>
    </form>
  )
}

type CodeConfirmationProps = {
  label: string
  hint?: string
  source?: CodeSource
  credential: (code: string) => StepUpCredential
  onConfirmed: () => void
}

function CodeConfirmation({ label, hint, source, credential, onConfirmed }: CodeConfirmationProps) {
  const { mutateAsync } = useConfirmIdentity()
  const handleCode = (code: string) => mutateAsync(credential(code)).then(onConfirmed)
  return <CodeForm label={label} hint={hint} action="Confirm" source={source} onCode={handleCode} />
}

function EmailCodeConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const { user } = useSession()
  const send = useSendEmailCode()
  const email = user?.email ?? 'you'
  if (!send.isSuccess) return <SendCode {...send} label={`Email a code to ${email}`} />
  return (
    <CodeConfirmation
      label="Code from the email"
      hint={`We sent it to ${email}.`}
      credential={(code) => ({ kind: 'email-code', code })}
      onConfirmed={onConfirmed}
    />
  )
}

function PhoneConfirmation({ option, onConfirmed }: OptionProps<'phone'>) {
  const { factorId, name } = option
  const send = useSendTextMessage(factorId)
  const challengeId = send.data
  if (challengeId === undefined) {
    return <SendCode {...send} label={name ? `Text a code to “${name}”` : 'Text me a code'} />
  }
  return (
    <CodeConfirmation
      label="Code from the text message"
      source="text"
      credential={(code) => ({ kind: 'phone', factorId, challengeId, code })}
      onConfirmed={onConfirmed}
    />
  )
}

type SendCodeProps = { label: string; isPending: boolean; error: Error | null; mutate: () => void }

/** Sends on a click only, because text messages cost money and codes can be read over a shoulder. */
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

function BackupCodeConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const { mutateAsync } = useConfirmIdentity()
  const handleCode = (code: string) => mutateAsync({ kind: 'backup-code', code }).then(onConfirmed)
  return <BackupCodeForm action="Confirm" onCode={handleCode} />
}

type WebauthnConfirmationProps = { label: string; hint: string; credential: StepUpCredential; onConfirmed: () => void }

function WebauthnConfirmation({ label, hint, credential, onConfirmed }: WebauthnConfirmationProps) {
  const { mutateAsync } = useConfirmIdentity()
  return (
    <CeremonyButton label={label} hint={hint} autoFocus ceremony={() => mutateAsync(credential)} onDone={onConfirmed} />
  )
}
