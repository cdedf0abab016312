import { ChevronRight } from 'lucide-react'
import { useRef, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { BackupCodeForm } from '#client/features/identity/auth/backup-code-form.tsx'
import { type MfaMethod, methodKey, methodLabel, mfaMethods } from '#client/features/identity/auth/mfa/mfa-methods.ts'
import { useFallbackMethods, usePendingMfa } from '#client/features/identity/auth/mfa/pending-mfa.api.ts'
import {
  trustThisDevice,
  useSendTextMessage,
  verifyBackupCode,
  verifySecurityKey,
  verifyTextMessage,
  verifyTotp,
} from '#client/features/identity/auth/mfa/verify-factor.api.ts'
import { ResendButton } from '#client/features/identity/auth/resend-button.tsx'
import { resendDelaySeconds, resendIntervalSeconds } from '#client/features/identity/auth/resend-delay.ts'
import { CodeForm } from '#client/features/identity/auth/six-digit-code-form.tsx'
import { CeremonyButton } from '#client/features/identity/passkeys/ceremony-button.tsx'
import { canUsePasskeys } from '#client/features/identity/passkeys/passkey-support.ts'
import { signInWithPasskey } from '#client/features/identity/passkeys/sign-in-with-passkey.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { signOut, useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { AuthFrame } from '../layouts/auth-frame.tsx'
import { LoadingPage } from '../loading-page.tsx'
import { returnPath } from '../sign-in-location-state.ts'

/** Two-step verification at sign-in, then back to the page the user was going to. */
export function Component() {
  const { status, user } = useSession()
  const pendingMfa = usePendingMfa()
  const { state } = useLocation()
  const welcomed = useRef(false)
  if (status === 'loading' || pendingMfa === 'unknown') return <LoadingPage />
  if (!user) return <Navigate to="/auth" replace state={state} />
  const next = returnPath(state)
  if (pendingMfa === 'none') return <Navigate to={next} replace />

  // One notification only: two would cover the page on a phone.
  const handlePassed = (note = "You've successfully signed in.") => {
    if (welcomed.current || next === '/reset-password') return
    welcomed.current = true
    toast.success('Welcome back!', { description: note })
  }
  return (
    <AuthFrame title="Two-step verification">
      <MfaChallenge onPassed={handlePassed} />
      <div className="mt-10 grid gap-1 text-sm text-muted">
        <p className="wrap-anywhere">You’re signing in as {user.email}.</p>
        <p>
          Can’t use any of these? Reply to one of our emails. We’ll verify your identity, which takes about a day, and
          help you sign in.
        </p>
        <div className="-ml-3">
          <Button variant="quiet" size="sm" onClick={() => void signOut()}>
            Sign out
          </Button>
        </div>
      </div>
    </AuthFrame>
  )
}

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
function MfaChallenge({ onPassed }: { onPassed: OnPassed }) {
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

type PhoneStepProps = { factorId: string; onPassed: () => void }

/** Sends the text message on a click, because each one costs money. */
function PhoneChallenge({ factorId, onPassed }: PhoneStepProps) {
  const send = useSendTextMessage(factorId)
  const [challengeId, setChallengeId] = useState<string | null>(null)
  const [message, setMessage] = useState<string | null>(null)

  const sendAgain = async () => setChallengeId(await send.mutateAsync())
  const handleSend = async () => {
    setMessage(null)
    try {
      await sendAgain()
    } catch (error) {
      const seconds = resendDelaySeconds(error)
      setMessage(
        seconds === null
          ? errorMessage(error)
          : `We just sent you a message. You can request another in ${seconds} seconds.`,
      )
    }
  }

  if (challengeId === null) {
    return (
      <div className="grid gap-3">
        <Button block pending={send.isPending} onClick={handleSend}>
          Send code
        </Button>
        <InlineError>{message}</InlineError>
      </div>
    )
  }
  return (
    <div className="grid gap-5">
      <CodeForm
        label="Code from the text message"
        action="Continue"
        source="text"
        onCode={(code) => verifyTextMessage(factorId, challengeId, code).then(onPassed)}
      />
      <ResendButton label="Resend code" waitFirst={resendIntervalSeconds} onSend={sendAgain} />
    </div>
  )
}
