import { Outlet } from 'react-router'
import { SiteFrame } from './site-frame.tsx'
import { SiteNav } from './site-nav.tsx'

export function SiteLayout() {
  return (
    <SiteFrame nav={<SiteNav />}>
      <Outlet />
    </SiteFrame>
  )
}
