import { formErrorMessage } from '#client/lib/error-message.ts'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { NameForm } from './credential-name-form.tsx'
import type { FactorSetupProps } from './factor-setup-props.ts'
import { useEnrollTotp } from './security.api.ts'
import { VerifyFactorForm } from './verify-factor-form.tsx'

export function TotpSetup({ suggestedName, onAdded, onClose }: FactorSetupProps) {
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
