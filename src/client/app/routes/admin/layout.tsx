import { Outlet } from 'react-router'
import { MembersFrame } from '../../layouts/members-layout.tsx'

export function Component() {
  return (
    <MembersFrame>
      <Outlet />
    </MembersFrame>
  )
}
