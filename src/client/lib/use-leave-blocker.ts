import { useEffect } from 'react'
import { useBlocker } from 'react-router'

let unsavedForms = 0

/** True while any form on the page has unsaved changes. */
export const hasUnsavedChanges = () => unsavedForms > 0

/**
 * Blocks navigation to other pages while changes of any form on the page are unsaved, until the caller proceeds or resets.
 * A page has one blocker; its other forms call `useUnsavedChanges`.
 */
export function useLeaveBlocker(isUnsaved: boolean) {
  useUnsavedChanges(isUnsaved)
  return useBlocker(
    ({ currentLocation, nextLocation }) =>
      (isUnsaved || hasUnsavedChanges()) && currentLocation.pathname !== nextLocation.pathname,
  )
}

/** The browser asks before the tab is closed or reloaded, and so do the page's blocker and signing out. */
export function useUnsavedChanges(isUnsaved: boolean) {
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
}
