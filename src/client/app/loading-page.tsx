import { useEffect, useState } from 'react'
import { isServerReachable } from '#client/lib/connection.ts'
import { LoadingScreen } from '#client/ui/loading-screen.tsx'
import { SiteFrame } from './layouts/site-frame.tsx'

/** A page that this device keeps for reading offline opens before that. */
const explainAfterMs = 1_500

/** Shown while the session or a page's code is loading. Fills the screen, since a late font would move the footer's links. */
export function LoadingPage() {
  return (
    <SiteFrame>
      <div className="min-h-dvh">
        <LoadingScreen />
        <OfflineNote />
      </div>
    </SiteFrame>
  )
}

/** Asks the server, since the browser reports a network even if it leads nowhere. */
function OfflineNote() {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(async () => setShown(!(await isServerReachable())), explainAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    shown && (
      <p role="alert" className="text-center text-muted">
        You’re offline. This page opens when you’re back online.
      </p>
    )
  )
}
