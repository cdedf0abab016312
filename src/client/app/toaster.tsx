import { useEffect } from 'react'
import { Toaster as SonnerToaster } from 'sonner'
import { hideToast, showToast } from '#client/lib/show-toast.ts'
import { toastHost } from '#client/lib/toast.ts'

/**
 * Below the header on wide screens. On a phone toasts cover the header instead, so that the page title and the tab bar
 * stay visible.
 */
const offset = { top: 76, right: 16 }
const mobileOffset = { top: 8, left: 12, right: 12 }

/** Loaded with the first toast (lib/toast.ts). `unstyled` keeps only the library's stacking. */
export default function Toaster() {
  // Runs after SonnerToaster has subscribed, so that queued toasts are shown.
  useEffect(() => toastHost.ready({ showToast, hideToast }), [])
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
            'flex w-full sm:w-96 gap-3 rounded-md border border-line bg-surface px-4 py-3 text-ink shadow-float font-sans data-[type=error]:border-danger data-[type=error]:border-l-4 data-[type=success]:border-l-4 data-[type=success]:border-l-success',
          title: 'font-semibold text-base',
          description: 'mt-0.5 text-sm text-muted',
          icon: 'hidden',
        },
      }}
    />
  )
}
