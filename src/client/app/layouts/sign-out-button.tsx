import { lazy, Suspense, useState } from 'react'
import { flushUnsentChanges } from '#client/lib/outbox.ts'
import { signOut } from '#client/lib/session.ts'
import { hasUnsavedChanges } from '#client/lib/use-leave-blocker.ts'
import { Button } from '#client/ui/button.tsx'

const SignOutDialog = lazy(() => import('./sign-out-dialog.tsx'))

/** Signs out. Asks first if a form has unsaved changes, or if changes made offline couldn't be sent. */
export function SignOutButton() {
  const [isLeavingForm, setIsLeavingForm] = useState(false)
  const [unsent, setUnsent] = useState<string[] | null>(null)
  const [isSending, setIsSending] = useState(false)

  const sendAndSignOut = async () => {
    setIsLeavingForm(false)
    setIsSending(true)
    try {
      const left = await flushUnsentChanges()
      if (left.length > 0) setUnsent(left)
      else await signOut()
    } finally {
      setIsSending(false)
    }
  }
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        pending={isSending}
        onClick={() => (hasUnsavedChanges() ? setIsLeavingForm(true) : void sendAndSignOut())}
      >
        Sign Out
      </Button>
      <Suspense>
        {isLeavingForm && (
          <SignOutDialog
            unsent={null}
            onSignOut={() => void sendAndSignOut()}
            onClose={() => setIsLeavingForm(false)}
          />
        )}
        {unsent && <SignOutDialog unsent={unsent} onSignOut={() => void signOut()} onClose={() => setUnsent(null)} />}
      </Suspense>
    </>
  )
}
