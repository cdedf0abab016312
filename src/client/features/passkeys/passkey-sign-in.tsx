import { useEffect, useRef } from 'react'
import { CeremonyButton } from './ceremony-button.tsx'
import { canSuggestPasskeys, canUsePasskeys } from './passkey-support.ts'
import { signInWithPasskey } from './sign-in-with-passkey.ts'
import { wasPasskeyUsedHere } from './used-here.ts'

type PasskeySignInProps = { onSignedIn: () => void }

/**
 * The button, and on a device that has used a passkey here before also the browser's own suggestion in the address
 * field. Browsers that know nothing of passkeys show neither.
 */
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
    // A browser holds one ceremony at a time.
    suggestion.current?.abort()
    return signInWithPasskey({})
  }

  return <CeremonyButton label="Use a passkey" variant="secondary" ceremony={ceremony} onDone={onSignedIn} />
}

/** Waits in the background for as long as the page is open; whatever comes of it but success concerns nobody. */
async function suggest(signal: AbortSignal): Promise<boolean> {
  if (!wasPasskeyUsedHere() || !(await canSuggestPasskeys()) || signal.aborted) return false
  return signInWithPasskey({ signal, mediation: 'conditional' }).then(
    () => true,
    () => false,
  )
}
