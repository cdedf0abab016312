import { useEffect, useRef } from 'react'
import { CeremonyButton } from './ceremony-button.tsx'
import { canSuggestPasskeys, canUsePasskeys, wasPasskeyUsedHere } from './passkey-support.ts'
import { signInWithPasskey } from './sign-in-with-passkey.ts'

type PasskeySignInProps = { onSignedIn: () => void }

/** Passkey button, plus browser autofill on devices that used a passkey before. Hidden without passkey support. */
export function PasskeySignIn({ onSignedIn }: PasskeySignInProps) {
  const suggestion = useRef<AbortController>(undefined)
  const signedIn = useRef(onSignedIn)
  signedIn.current = onSignedIn

  useEffect(() => {
    const controller = new AbortController()
    suggestion.current = controller
    void suggest(controller.signal).then((done) => {
      if (done) signedIn.current()
    })
    return () => controller.abort()
  }, [])

  if (!canUsePasskeys()) return null

  const ceremony = () => {
    // Browsers run one ceremony at a time.
    suggestion.current?.abort()
    return signInWithPasskey({})
  }

  return <CeremonyButton label="Use a passkey" variant="secondary" ceremony={ceremony} onDone={onSignedIn} />
}

/** Offers passkeys in the email field for as long as the page is open. Resolves to false on any failure. */
async function suggest(signal: AbortSignal): Promise<boolean> {
  if (!wasPasskeyUsedHere() || !(await canSuggestPasskeys()) || signal.aborted) return false
  return signInWithPasskey({ signal, mediation: 'conditional' }).then(
    () => true,
    () => false,
  )
}
