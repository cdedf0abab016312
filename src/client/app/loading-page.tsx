import { LoadingScreen } from '#client/ui/loading-screen.tsx'
import { SiteFrame } from './layouts/site-frame.tsx'

/** Shown while the session or a page's code is loading. */
export function LoadingPage() {
  return (
    <SiteFrame>
      <LoadingScreen />
    </SiteFrame>
  )
}
