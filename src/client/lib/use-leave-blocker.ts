import { useEffect } from 'react'
import { useBlocker } from 'react-router'

let unsavedForms = 0

/** True while any form on the page has unsaved changes. */
export const hasUnsavedChanges = () => unsavedForms > 0

/**
 * Blocks navigation to other pages while changes are unsaved, until the caller proceeds or resets. The browser asks before
 * the tab is closed or reloaded, and signing out asks as well.
 */
export function useLeaveBlocker(isUnsaved: boolean) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isUnsaved) return
    const handleUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', handleUnload)
    unsavedForms += 1
    return () => {
      window.removeEventListener('beforeunload', handleUnload)
      unsavedForms -= 1
    }
  }, [isUnsaved])
  return blocker
}
