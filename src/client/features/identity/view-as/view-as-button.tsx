import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { z } from 'zod'
import { invoke } from '#client/lib/calls.ts'
import { useSensitiveMutation } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormError } from '#client/ui/form.tsx'
import { adminViewAsCall, viewAsMinutes } from '#shared/contracts/identity/view-as.ts'

/** Where public/view-as.js looks for the view. */
const storageKey = 'front-counter-view-as'
const firstPage = '/view-as/portal/weekly-drops'

type View = z.infer<typeof adminViewAsCall.output>

/**
 * Opens the portal in a tab of its own. The new tab gets a copy of this tab's session storage when it is created, so the
 * token is in no address and stays in no other tab.
 */
function openTab(userId: string, view: View): boolean {
  window.sessionStorage.setItem(storageKey, JSON.stringify({ ...view, userId }))
  try {
    return window.open(firstPage, '_blank') !== null
  } finally {
    window.sessionStorage.removeItem(storageKey)
  }
}

/** Lets staff look at the portal as a member. */
export function ViewAsButton({ userId }: { userId: string }) {
  const [isOpen, setIsOpen] = useState(false)
  /** Set if the browser blocked the tab, so that a click can open it. */
  const [blocked, setBlocked] = useState<View | null>(null)
  const start = useSensitiveMutation({
    mutationFn: () => invoke(adminViewAsCall, { userId }),
    onSuccess: (view) => {
      if (openTab(userId, view)) setIsOpen(false)
      else setBlocked(view)
    },
  })
  const handleOpen = () => {
    start.reset()
    setBlocked(null)
    setIsOpen(true)
  }
  const handleConfirm = () => {
    if (!blocked) start.mutate()
    else if (openTab(userId, blocked)) setIsOpen(false)
  }
  return (
    <>
      <Button variant="secondary" onClick={handleOpen}>
        <ExternalLink aria-hidden className="size-4" strokeWidth={1.75} />
        View as this member
      </Button>
      {isOpen && (
        <Dialog title="View the portal as this member?" onClose={() => setIsOpen(false)}>
          <div className="mt-2 grid gap-3 text-muted">
            <p>
              A new tab shows what they see for up to {viewAsMinutes} minutes. You can’t change anything, and what they
              saved, read and entered about their business isn’t shown.
            </p>
            <p>They see in their account that you looked, and the staff log records it.</p>
          </div>
          <div className="mt-6 grid gap-4">
            <FormError>{formErrorMessage(start.error)}</FormError>
            <div className="flex flex-wrap gap-3">
              <Button pending={start.isPending} onClick={handleConfirm}>
                {blocked ? 'Open the tab' : 'Start viewing'}
              </Button>
              <Button variant="quiet" onClick={() => setIsOpen(false)}>
                Cancel
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}
