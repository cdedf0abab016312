import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { CeremonyButton } from '#client/features/passkeys/ceremony-button.tsx'
import { canUsePasskeys } from '#client/features/passkeys/passkey-support.ts'
import { signInWithPasskey } from '#client/features/passkeys/sign-in-with-passkey.ts'
import { useSession } from '#client/lib/session.ts'
import { BackupCodeForm } from '../backup-code-form.tsx'
import { CodeForm } from '../code-form.tsx'
import { type MfaMethod, methodKey, methodLabel, mfaMethods } from './mfa-methods.ts'
import { useFallbackMethods } from './pending-mfa.api.ts'
import { PhoneChallenge } from './phone-challenge.tsx'
import { verifyBackupCode, verifySecurityKey, verifyTotp } from './verify-factor.api.ts'

const leads: Record<MfaMethod['kind'], string> = {
  app: 'Open your authenticator app and type the six digits it shows for us.',
  key: 'Have your security key at hand, or the device that you registered.',
  phone: 'We send six digits to the number that you set up.',
  backup: 'Take one of the codes that you put aside when you set up the second step.',
  passkey: 'A passkey on this device proves both steps at once.',
}

/** `note`: what there is to say beside the welcome. */
type OnPassed = (note?: string) => void

/** The second step of signing in: one way at a time, the others a click away. */
export function MfaChallenge({ onPassed }: { onPassed: OnPassed }) {
  const { user } = useSession()
  const ways = mfaMethods(user?.factors ?? [], { ceremonies: canUsePasskeys(), ...useFallbackMethods() })
  const [chosen, setChosen] = useState<string | null>(null)
  const way = ways.find((each) => methodKey(each) === chosen) ?? ways[0]
  if (!way) return null
  const others = ways.filter((each) => methodKey(each) !== methodKey(way))
  return (
    <>
      <p className="-mt-3 mb-8 text-lg text-muted">{leads[way.kind]}</p>
      <StepOf key={methodKey(way)} way={way} onPassed={onPassed} />
      {others.length > 0 && (
        <section aria-labelledby="other-ways" className="mt-10">
          <h2 id="other-ways" className="text-sm font-semibold text-muted">
            Another way
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

function StepOf({ way, onPassed }: { way: MfaMethod; onPassed: OnPassed }) {
  const handlePassed = () => onPassed()
  switch (way.kind) {
    case 'app':
      return (
        <CodeForm
          label="Authenticator code"
          action="Continue"
          onCode={(code) => verifyTotp(way.factorId, code).then(handlePassed)}
        />
      )
    case 'key':
      return (
        <CeremonyButton
          label="Use the security key"
          ceremony={() => verifySecurityKey(way.factorId)}
          onDone={handlePassed}
        />
      )
    case 'phone':
      return <PhoneChallenge factorId={way.factorId} onPassed={handlePassed} />
    case 'backup':
      return <BackupCodeForm action="Continue" onCode={(code) => verifyBackupCode(code).then(leftOf).then(onPassed)} />
    case 'passkey':
      return <CeremonyButton label="Use a passkey" ceremony={() => signInWithPasskey({})} onDone={handlePassed} />
  }
}

const leftOf = (left: number) =>
  `${left === 1 ? 'One backup code is' : `${left} backup codes are`} left. Lost your second step? Set up a new one under Account, Security.`
