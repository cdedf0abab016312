import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { BackupCodeForm } from '#client/features/identity/auth/backup-code-form.tsx'
import { InboxLinks } from '#client/features/identity/auth/inbox-links.tsx'
import {
  useSendTextMessage,
  verifyBackupCode,
  verifySecurityKey,
  verifyTextMessage,
  verifyTotp,
} from '#client/features/identity/auth/mfa/verify-factor.api.ts'
import { securityOverviewQuery } from '#client/features/identity/auth/security-overview.api.ts'
import { CodeForm } from '#client/features/identity/auth/six-digit-code-form.tsx'
import type { CodeSource } from '#client/features/identity/auth/use-six-digit-code.ts'
import { CeremonyButton } from '#client/features/identity/passkeys/ceremony-button.tsx'
import { signPasskeyChallenge } from '#client/features/identity/passkeys/passkeys.api.ts'
import { invoke } from '#client/lib/calls.ts'
import { submitHandler } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { useSession } from '#client/lib/session.ts'
import type { StepUpRequest } from '#client/lib/step-up.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { LoadingPlaceholder, Skeleton, SkeletonText } from '#client/ui/loading.tsx'
import { PasswordField } from '#client/ui/password-field.tsx'
import { confirmIdentityCall } from '#shared/contracts/identity/account-security.ts'
import { factorsQuery, useRefreshSecurity } from '../security.api.ts'
import { optionLabel, type StepUpOption, stepUpOptions } from './step-up-options.ts'

/** Asks the user to confirm their identity, then continues the action that required it. */
export default function StepUpDialog({ request }: { request: StepUpRequest }) {
  // The cached methods may have changed on another device.
  const overview = useQuery({ ...securityOverviewQuery, staleTime: 0 })
  const factors = useQuery({ ...factorsQuery, staleTime: 0 })
  const failed = overview.error ?? factors.error

  return (
    <Dialog title="Confirm it’s you" onClose={() => request.answer(false)}>
      <p className="mt-2 text-muted">
        {request.need === 'second-factor'
          ? 'This requires two-step verification, even though you’re signed in.'
          : 'It’s been a while. We ask again so that no one can change your account on an unattended device.'}
      </p>
      <div className="mt-5">
        {overview.data && factors.data ? (
          <Options
            key={request.need}
            options={stepUpOptions({
              need: request.need,
              methods: overview.data.stepUp.methods,
              factors: factors.data,
              backupCodesLeft: overview.data.backupCodes.left,
            })}
            onConfirmed={() => request.answer(true)}
          />
        ) : failed ? (
          <div role="alert">
            <p className="text-danger">We couldn’t load your options. Nothing was changed.</p>
            <Button
              variant="secondary"
              className="mt-4"
              pending={overview.isFetching || factors.isFetching}
              onClick={() => {
                void overview.refetch()
                void factors.refetch()
              }}
            >
              Try again
            </Button>
          </div>
        ) : (
          <LoadingPlaceholder>
            <SkeletonText lines={1} className="w-24" />
            <Skeleton className="mt-1.5 h-11" />
            <Skeleton className="mt-5 h-11" />
          </LoadingPlaceholder>
        )}
      </div>
    </Dialog>
  )
}

type OptionsProps = { options: ReturnType<typeof stepUpOptions>; onConfirmed: () => void }

function Options({ options, onConfirmed }: OptionsProps) {
  const [chosen, setChosen] = useState(0)
  // By index, because a refetch replaces the options while the form is open.
  const option = options[chosen] ?? options[0]
  if (!option) {
    return <p role="alert">You can’t confirm from here. Sign out, sign in again, and then try your change again.</p>
  }
  const others = options.map((other, index) => ({ other, index })).filter(({ other }) => other !== option)
  return (
    <>
      <StepUpForm key={chosen} option={option} onConfirmed={onConfirmed} />
      {others.length > 0 && (
        <div className="mt-6 border-t border-line pt-4">
          <p className="text-sm text-muted">Other options:</p>
          <ul className="-mx-3 mt-1">
            {others.map(({ other, index }) => (
              <li key={index}>
                <Button variant="quiet" size="sm" onClick={() => setChosen(index)}>
                  {optionLabel(other)}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

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

function StepUpForm({ option, onConfirmed }: { option: StepUpOption; onConfirmed: () => void }) {
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
  const handleSubmit = submitHandler(confirm, () =>
    confirm.mutate({ kind: 'password', password }, { onSuccess: onConfirmed }),
  )
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
    <>
      <CodeConfirmation
        label="Code from the email"
        hint={`We sent it to ${email}.`}
        credential={(code) => ({ kind: 'email-code', code })}
        onConfirmed={onConfirmed}
      />
      <InboxLinks email={email} />
    </>
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
