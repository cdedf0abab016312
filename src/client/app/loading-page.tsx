import { LoadingScreen } from '#client/ui/loading-screen.tsx'
import { SiteFrame } from './layouts/site-frame.tsx'

/** Shown while the session or a page's code is loading. Fills the screen, since a late font would move the footer's links. */
export function LoadingPage() {
  return (
    <SiteFrame>
      <div className="min-h-dvh">
        <LoadingScreen />
      </div>
    </SiteFrame>
  )
}
