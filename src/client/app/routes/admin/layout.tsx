import { useQuery } from '@tanstack/react-query'
import { Outlet } from 'react-router'
import { sendingSettingsQuery } from '#client/features/newsletter/settings.api.ts'
import { PublicationTimeZone } from '#client/ui/timestamp.tsx'
import { MembersFrame } from '../../layouts/members-layout.tsx'

const staleMs = 5 * 60_000

export function Component() {
  const settings = useQuery({ ...sendingSettingsQuery, staleTime: staleMs })
  return (
    <MembersFrame>
      <PublicationTimeZone value={settings.data?.timeZone ?? (settings.isError ? 'UTC' : null)}>
        <Outlet />
      </PublicationTimeZone>
    </MembersFrame>
  )
}
