import type { Factor } from '@supabase/auth-js'
import { KeyRound, Laptop, MessageSquareText, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { canUsePasskeys } from '#client/features/identity/passkeys/passkey-support.ts'
import { submitHandler, useChange, useSensitiveMutation } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { orThrow } from '#client/lib/or-throw.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { Panel, Section } from '#client/ui/page-parts.tsx'
import { endDeviceTrustCall } from '#shared/contracts/identity/account-security.ts'
import { formatDay } from '#shared/domain/format.ts'
import { ceremonyErrorMessage } from '../passkeys/ceremony-error.ts'
import { NameForm } from './credential-name-form.tsx'
import { RequireConfirmedEmail } from './require-confirmed-email.tsx'
import {
  type SecurityOverview,
  useAddSecurityKey,
  useEnrollPhone,
  useEnrollTotp,
  useRefreshSecurity,
} from './security.api.ts'
import { uniqueName } from './unique-factor-name.ts'
import { VerifyFactorForm } from './verify-factor-form.tsx'

function SecurityKeySetup({ suggestedName, onAdded, onClose }: FactorSetupProps) {
  const add = useAddSecurityKey()
  const handleName = (name: string) => add.mutate(name, { onSuccess: () => onAdded('Your security key is set up') })
  return (
    <Panel label="Add a security key">
      <NameForm
        title="Add a security key"
        hint="Helps you recognize it later. Next, your browser asks for the key."
        suggestion={suggestedName}
        action="Continue"
        pending={add.isPending}
        error={ceremonyErrorMessage(add.error)}
        onName={handleName}
        onClose={onClose}
      />
    </Panel>
  )
}

function useRemoveFactor() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async (factorId: string) => {
      const { auth } = await loadBackend()
      orThrow(await auth.mfa.unenroll({ factorId }))
      // The current token still claims the removed factor.
      await auth.refreshSession()
    },
    onSuccess: refresh,
    done: 'Two-step method removed',
    failure: 'We couldn’t remove the method',
  })
}

const kinds = {
  totp: { name: 'Authenticator app', icon: Smartphone },
  webauthn: { name: 'Security key', icon: KeyRound },
  phone: { name: 'Text message', icon: MessageSquareText },
} as const
type Kind = keyof typeof kinds

const kindOf = (factor: Factor) => kinds[factor.factor_type as Kind] ?? kinds.totp

type SecondStepSectionProps = {
  factors: readonly Factor[]
  phoneOffered: boolean
  trustedDevices: SecurityOverview['trustedDevices']
}

export function TwoStepSection({ factors, phoneOffered, trustedDevices }: SecondStepSectionProps) {
  const [adding, setAdding] = useState<Kind | null>(null)
  const inUse = factors.filter((factor) => factor.status === 'verified')
  const isOff = inUse.length === 0
  const setup = (kind: Kind) => ({
    suggestedName: uniqueName(kinds[kind].name, inUse),
    // The first method ends all sessions that haven't passed it (upgrade-session.ts).
    onAdded: (done: string) => {
      const effect = isOff ? ' You’ve been signed out on all other devices.' : ''
      toast.success(done, { description: `We’ll ask for it the next time you sign in.${effect}` })
      setAdding(null)
    },
    onClose: () => setAdding(null),
  })

  return (
    <Section
      title="Two-step verification"
      status={isOff ? 'Off' : 'On'}
      lede={`Asks for a second step after your password, so that a leaked password isn’t enough to get in. It also protects these settings.${isOff ? ' Turning it on signs you out on all other devices.' : ''}`}
    >
      {inUse.length > 0 && (
        <ItemList label="Two-step methods">
          {inUse.map((factor) => (
            <FactorRow key={factor.id} factor={factor} isLast={inUse.length === 1} />
          ))}
        </ItemList>
      )}
      <div className={inUse.length > 0 ? 'mt-5' : undefined}>
        <RequireConfirmedEmail>
          {adding === 'totp' && <TotpSetup {...setup('totp')} />}
          {adding === 'webauthn' && <SecurityKeySetup {...setup('webauthn')} />}
          {adding === 'phone' && <PhoneSetup {...setup('phone')} />}
          {adding === null && (
            <div className="flex flex-wrap gap-3">
              <Button variant={isOff ? 'primary' : 'secondary'} onClick={() => setAdding('totp')}>
                Add authenticator app
              </Button>
              {canUsePasskeys() && (
                <Button variant="secondary" onClick={() => setAdding('webauthn')}>
                  Add security key
                </Button>
              )}
              {phoneOffered && (
                <Button variant="secondary" onClick={() => setAdding('phone')}>
                  Add phone
                </Button>
              )}
            </div>
          )}
        </RequireConfirmedEmail>
      </div>
      {trustedDevices.length > 0 && (
        <div className="mt-8">
          <h3 className="text-lg font-semibold">Trusted devices</h3>
          <p className="mt-1 mb-4 max-w-[60ch] text-muted">
            Your password alone signs you in here. Changes to these settings still ask for the second step.
          </p>
          <ItemList label="Trusted devices">
            {trustedDevices.map((trusted) => (
              <TrustedDeviceRow key={trusted.id} trusted={trusted} />
            ))}
          </ItemList>
        </div>
      )}
    </Section>
  )
}

function TrustedDeviceRow({ trusted }: { trusted: SecurityOverview['trustedDevices'][number] }) {
  const end = useChange(endDeviceTrustCall, {
    done: 'This device asks for the second step again',
    failure: 'We couldn’t change the device',
  })
  return (
    <ItemRow
      icon={Laptop}
      title={trusted.device}
      facts={`Trusted until ${formatDay(trusted.until)}`}
      actions={
        <Button
          variant="quiet"
          size="sm"
          pending={end.isPending}
          aria-label={`Stop trusting: ${trusted.device}`}
          onClick={() => end.mutate({ id: trusted.id })}
        >
          Stop trusting
        </Button>
      }
    />
  )
}

function FactorRow({ factor, isLast }: { factor: Factor; isLast: boolean }) {
  const remove = useRemoveFactor()
  const kind = kindOf(factor)
  const name = factor.friendly_name || kind.name
  const added = formatDay(factor.created_at)
  return (
    <ItemRow
      icon={kind.icon}
      title={name}
      facts={name === kind.name ? `Added ${added}` : `${kind.name}, added ${added}`}
      actions={
        <ConfirmButton
          label="Remove"
          variant="quiet"
          size="sm"
          pending={remove.isPending}
          aria-label={`Remove: ${name}`}
          title={`Remove “${name}”?`}
          action="Remove"
          onConfirm={() => remove.mutate(factor.id)}
        >
          {isLast
            ? 'This is your only two-step method. Without it, your password alone signs you in, and your backup codes stop working.'
            : 'We won’t ask for it anymore. Your other methods keep working.'}
        </ConfirmButton>
      }
    />
  )
}

function TotpSetup({ suggestedName, onAdded, onClose }: FactorSetupProps) {
  const enroll = useEnrollTotp()
  if (!enroll.data) {
    return (
      <Panel label="Add an authenticator app">
        <NameForm
          title="Add an authenticator app"
          hint="Helps you recognize it later, for example “Store phone”."
          suggestion={suggestedName}
          action="Continue"
          pending={enroll.isPending}
          error={formErrorMessage(enroll.error)}
          onName={(name) => enroll.mutate(name)}
          onClose={onClose}
        />
      </Panel>
    )
  }
  return <FirstCode factorId={enroll.data.id} {...enroll.data.totp} onAdded={onAdded} onClose={onClose} />
}

type FirstCodeProps = Omit<FactorSetupProps, 'suggestedName'> & { factorId: string; qr_code: string; secret: string }

function FirstCode({ factorId, qr_code, secret, onAdded, onClose }: FirstCodeProps) {
  return (
    <Panel label="Add an authenticator app">
      <div className="grid gap-x-8 gap-y-6 md:grid-cols-[12rem_minmax(0,1fr)]">
        <div>
          {/* Dark on light in both themes: many apps can't read inverted codes. */}
          <img
            src={qr_code}
            alt="QR code for your authenticator app. The setup key is next to it."
            width={192}
            height={192}
            className="rounded-md border border-line bg-[white]"
          />
        </div>
        <div className="grid content-start gap-6">
          <div>
            <h4 className="font-semibold">1. Scan the QR code with your authenticator app</h4>
            <p className="mt-1 text-sm text-muted">Setting up on this phone? Copy the key instead.</p>
            <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
              <code className="font-mono text-sm tracking-wide [overflow-wrap:anywhere]">{grouped(secret)}</code>
              <CopyButton text={secret} what="setup key" />
            </div>
          </div>
          <VerifyFactorForm
            title="2. Enter the six-digit code from the app"
            label="Code from the app"
            factor={{ factorId }}
            done="Your authenticator app is set up"
            onAdded={onAdded}
            onClose={onClose}
          />
        </div>
      </div>
    </Panel>
  )
}

/** Groups of four for reading; the copy button copies it without spaces. */
const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

function useResendPhoneCode() {
  return useSensitiveMutation({
    mutationFn: async (factorId: string) => {
      const { auth } = await loadBackend()
      return orThrow(await auth.mfa.challenge({ factorId })).id
    },
    failure: 'We couldn’t send the message',
  })
}

function PhoneSetup({ suggestedName, onAdded, onClose }: FactorSetupProps) {
  const enroll = useEnrollPhone()
  const handleSubmit = submitHandler(enroll, (text) =>
    enroll.mutate({ phone: text('phone'), friendlyName: suggestedName }),
  )
  return (
    <Panel label="Add a phone">
      {enroll.data ? (
        <PhoneCode {...enroll.data} onAdded={onAdded} onClose={onClose} />
      ) : (
        <form onSubmit={handleSubmit} className="grid max-w-md gap-5">
          <h4 className="font-semibold">Add a phone</h4>
          <TextField
            label="Phone number"
            name="phone"
            type="tel"
            autoComplete="tel"
            hint="Include the country code, for example +1 555 010 9999. Text messages can be intercepted; an authenticator app or a security key is safer."
            required
            autoFocus
          />
          <FormActions action="Send code" change={enroll} onCancel={onClose} />
        </form>
      )}
    </Panel>
  )
}

type PhoneCodeProps = Omit<FactorSetupProps, 'suggestedName'> & { factorId: string; challengeId: string }

function PhoneCode({ factorId, challengeId, onAdded, onClose }: PhoneCodeProps) {
  const resend = useResendPhoneCode()
  return (
    <VerifyFactorForm
      title="Enter the code from the text message"
      label="Code from the text message"
      factor={{ factorId, challengeId: resend.data ?? challengeId }}
      done="Your phone is set up"
      onAdded={onAdded}
      autoFocus
      source="text"
      onClose={onClose}
    >
      <Button variant="secondary" pending={resend.isPending} onClick={() => resend.mutate(factorId)}>
        Resend code
      </Button>
    </VerifyFactorForm>
  )
}

type FactorSetupProps = {
  suggestedName: string
  /** With the success message, such as "Your phone is set up". */
  onAdded: (done: string) => void
  onClose: () => void
}
