import { LoadingScreen } from '#client/ui/loading-screen.tsx'
import { SiteFrame } from './layouts/site-frame.tsx'

/** Shown while it is not known who is reading, or while the code of a page is on its way. */
export function LoadingPage() {
  return (
    <SiteFrame>
      <LoadingScreen />
    </SiteFrame>
  )
}
