import { useEffect } from 'react'
import { useBlocker } from 'react-router'

/**
 * While something is unsaved, holds back the way to another page until the caller proceeds or resets, and has the
 * browser ask before the tab is closed or reloaded.
 */
export function useLeaveBlocker(isUnsaved: boolean) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isUnsaved) return
    const handleUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', handleUnload)
    return () => window.removeEventListener('beforeunload', handleUnload)
  }, [isUnsaved])
  return blocker
}
