import { useEffect } from 'react'
import { Toaster as SonnerToaster } from 'sonner'
import { toastHost } from '#client/lib/toast.ts'

/**
 * Below the banner, where the buttons of the banner and of a form's end stay free. A phone has no such place: there it is
 * over the banner, since the title under it and the thumb bar are what people look for next.
 */
const offset = { top: 76, right: 16 }
const mobileOffset = { top: 8, left: 12, right: 12 }

/** Loaded with the first notification (lib/toast.ts). Looks are ours; `unstyled` leaves only the stacking to the library. */
export default function Toaster() {
  // Runs after the list below has subscribed, so nothing that was waiting gets lost.
  useEffect(() => toastHost.ready(), [])
  return (
    <SonnerToaster
      position="top-right"
      visibleToasts={3}
      expand
      offset={offset}
      mobileOffset={mobileOffset}
      containerAriaLabel="Notifications"
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full sm:w-96 gap-3 rounded-md border border-line bg-surface px-4 py-3 text-ink shadow-float font-sans data-[type=error]:border-danger data-[type=error]:border-l-4 data-[type=success]:border-l-4 data-[type=success]:border-l-primary',
          title: 'font-semibold text-base',
          description: 'mt-0.5 text-sm text-muted',
          icon: 'hidden',
        },
      }}
    />
  )
}
