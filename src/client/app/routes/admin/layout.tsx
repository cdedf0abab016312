import { useQuery } from '@tanstack/react-query'
import { Outlet } from 'react-router'
import { sendingSettingsQuery } from '#client/features/newsletter/settings.api.ts'
import { PublicationZone } from '#client/ui/publication-zone.ts'
import { MembersFrame } from '../../layouts/members-layout.tsx'

const staleMs = 5 * 60_000

export function Component() {
  const settings = useQuery({ ...sendingSettingsQuery, staleTime: staleMs })
  return (
    <MembersFrame>
      <PublicationZone value={settings.data?.time_zone ?? (settings.isError ? 'UTC' : null)}>
        <Outlet />
      </PublicationZone>
    </MembersFrame>
  )
}
