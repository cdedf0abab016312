import { useState } from 'react'
import { flushUnsentChanges } from '#client/lib/outbox.ts'
import { signOut } from '#client/lib/session.ts'
import { hasUnsavedChanges } from '#client/lib/use-leave-blocker.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { UnsavedChangesDialog } from '#client/ui/unsaved-changes-dialog.tsx'

/** Signs out. Asks first if a form has unsaved changes, or if changes made offline couldn't be sent. */
export function SignOutButton() {
  const [isLeavingForm, setIsLeavingForm] = useState(false)
  const [unsent, setUnsent] = useState<string[] | null>(null)
  const [isSending, setIsSending] = useState(false)

  const sendAndSignOut = async () => {
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
      {isLeavingForm && (
        <UnsavedChangesDialog
          onLeave={() => {
            setIsLeavingForm(false)
            void sendAndSignOut()
          }}
          onStay={() => setIsLeavingForm(false)}
        >
          If you sign out now, your changes are lost.
        </UnsavedChangesDialog>
      )}
      {unsent && (
        <ConfirmDialog
          title="Sign out before your changes are sent?"
          action="Sign Out"
          keep="Stay signed in"
          onConfirm={() => void signOut()}
          onClose={() => setUnsent(null)}
        >
          <p>You made these changes offline. If you sign out now, they’re lost.</p>
          <ul className="mt-3 list-disc pl-5">
            {unsent.map((label) => (
              <li key={label}>{label}</li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
    </>
  )
}
