import { formErrorMessage } from '#client/lib/error-message.ts'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { NameForm } from './name-form.tsx'
import { useBeginTotp } from './security.api.ts'
import { VerifyFactorForm } from './verify-factor-form.tsx'

type TotpSetupProps = { suggestedName: string; onClose: () => void }

/** From a name to the first right code. Until then nothing has changed at sign-in. */
export function TotpSetup({ suggestedName, onClose }: TotpSetupProps) {
  const begin = useBeginTotp()
  if (!begin.data) {
    return (
      <Panel label="Add an authenticator app">
        <NameForm
          title="Add an authenticator app"
          hint="How you will know it later, for example “Store phone”."
          suggestion={suggestedName}
          action="Continue"
          pending={begin.isPending}
          problem={formErrorMessage(begin.error)}
          onName={(name) => begin.mutate(name)}
          onClose={onClose}
        />
      </Panel>
    )
  }
  return <FirstCode factorId={begin.data.id} {...begin.data.totp} onClose={onClose} />
}

type FirstCodeProps = { factorId: string; qr_code: string; secret: string; onClose: () => void }

function FirstCode({ factorId, qr_code, secret, onClose }: FirstCodeProps) {
  return (
    <Panel label="Add an authenticator app">
      <div className="grid gap-x-8 gap-y-6 md:grid-cols-[12rem_minmax(0,1fr)]">
        <div>
          {/* Dark on light whatever the theme: half of the apps cannot read it the other way round. */}
          <img
            src={qr_code}
            alt="QR code for your authenticator app. The key for typing it in stands beside it."
            width={192}
            height={192}
            className="rounded-md border border-line bg-[white]"
          />
        </div>
        <div className="grid content-start gap-6">
          <div>
            <h4 className="font-semibold">1. Scan the picture with your authenticator app</h4>
            <p className="mt-1 text-sm text-muted">On this very phone, or no camera? Type or paste this key instead:</p>
            <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
              <code className="font-mono text-sm tracking-wide [overflow-wrap:anywhere]">{grouped(secret)}</code>
              <CopyButton text={secret} what="key for the authenticator app" />
            </div>
          </div>
          <VerifyFactorForm
            title="2. Type the six digits that the app shows"
            label="Code from the app"
            factor={{ factorId }}
            done="Your authenticator app is set up"
            onClose={onClose}
          />
        </div>
      </div>
    </Panel>
  )
}

/** In fours, as a person reads it out; the copy button has it in one piece. */
const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret
