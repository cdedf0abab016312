import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { CeremonyButton } from '#client/features/identity/passkeys/ceremony-button.tsx'
import { canUsePasskeys } from '#client/features/identity/passkeys/passkey-support.ts'
import { signInWithPasskey } from '#client/features/identity/passkeys/sign-in-with-passkey.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Choice } from '#client/ui/choice.tsx'
import { BackupCodeForm } from '../backup-code-form.tsx'
import { CodeForm } from '../six-digit-code-form.tsx'
import { type MfaMethod, methodKey, methodLabel, mfaMethods } from './mfa-methods.ts'
import { useFallbackMethods } from './pending-mfa.api.ts'
import { PhoneChallenge } from './phone-challenge.tsx'
import { trustThisDevice, verifyBackupCode, verifySecurityKey, verifyTotp } from './verify-factor.api.ts'

const instructions: Record<MfaMethod['kind'], string> = {
  app: 'Enter the six-digit code from your authenticator app.',
  key: 'Use the security key you registered.',
  phone: 'We’ll text a six-digit code to your phone.',
  backup: 'Enter one of the backup codes you saved when you set up two-step verification.',
  passkey: 'A passkey on this device covers both steps.',
}

/** `note`: shown in the welcome notification. */
type OnPassed = (note?: string) => void

/** Two-step verification at sign-in: shows one method and lists the others. */
export function MfaChallenge({ onPassed }: { onPassed: OnPassed }) {
  const { user } = useSession()
  const methods = mfaMethods(user?.factors ?? [], { ceremonies: canUsePasskeys(), ...useFallbackMethods() })
  const [chosen, setChosen] = useState<string | null>(null)
  const [trusts, setTrusts] = useState(false)
  const method = methods.find((each) => methodKey(each) === chosen) ?? methods[0]
  if (!method) return null
  // Without the trust, the user is signed in all the same.
  const handlePassed = async (note?: string) => {
    onPassed(note)
    if (!trusts) return
    try {
      await trustThisDevice()
    } catch (error) {
      console.error('The device could not be trusted', error)
      toast.error('We couldn’t remember this device', { description: 'You’ll be asked again next time.' })
    }
  }
  const others = methods.filter((each) => methodKey(each) !== methodKey(method))
  return (
    <>
      <p className="-mt-3 mb-8 text-lg text-muted">{instructions[method.kind]}</p>
      {/* Above the code, since a complete code is sent at once. */}
      {method.kind !== 'passkey' && (
        <Choice
          type="checkbox"
          className="mb-6"
          label="Trust this device for 30 days"
          description="Your password alone signs you in here. Don’t use this on a shared computer."
          checked={trusts}
          onChange={(event) => setTrusts(event.target.checked)}
        />
      )}
      <MethodForm key={methodKey(method)} method={method} onPassed={handlePassed} />
      {others.length > 0 && (
        <section aria-labelledby="other-options" className="mt-10">
          <h2 id="other-options" className="text-sm font-semibold text-muted">
            Other options
          </h2>
          <ul className="mt-2 border-t border-line">
            {others.map((other) => (
              <li key={methodKey(other)} className="border-b border-line">
                <button
                  type="button"
                  onClick={() => setChosen(methodKey(other))}
                  className="group flex min-h-13 w-full items-center justify-between gap-3 text-left font-semibold hover:text-primary"
                >
                  {methodLabel(other)}
                  <ChevronRight
                    aria-hidden
                    className="size-4.5 shrink-0 text-muted transition-transform group-hover:translate-x-0.5"
                    strokeWidth={1.75}
                  />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function MethodForm({ method, onPassed }: { method: MfaMethod; onPassed: OnPassed }) {
  const handlePassed = () => onPassed()
  switch (method.kind) {
    case 'app':
      return (
        <CodeForm
          label="Authenticator code"
          action="Continue"
          onCode={(code) => verifyTotp(method.factorId, code).then(handlePassed)}
        />
      )
    case 'key':
      return (
        <CeremonyButton
          label="Use the security key"
          ceremony={() => verifySecurityKey(method.factorId)}
          onDone={handlePassed}
        />
      )
    case 'phone':
      return <PhoneChallenge factorId={method.factorId} onPassed={handlePassed} />
    case 'backup':
      return (
        <BackupCodeForm
          action="Continue"
          onCode={(code) => verifyBackupCode(code).then(backupCodesLeft).then(onPassed)}
        />
      )
    case 'passkey':
      return <CeremonyButton label="Use a passkey" ceremony={() => signInWithPasskey({})} onDone={handlePassed} />
  }
}

const backupCodesLeft = (left: number) =>
  `You have ${left} backup ${left === 1 ? 'code' : 'codes'} left. Lost your device? Set up a new one under Account > Security.`
