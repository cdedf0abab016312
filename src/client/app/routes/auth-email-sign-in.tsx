import { Navigate, useLocation } from 'react-router'
import { useSession } from '#client/lib/session.ts'
import { LoadingPage } from '../loading-page.tsx'
import { returnPath } from '../sign-in-location-state.ts'
import { RequestAuthEmail } from './request-auth-email.tsx'

export function Component() {
  const { status } = useSession()
  const { state } = useLocation()
  if (status === 'loading') return <LoadingPage />
  if (status === 'signed-in') return <Navigate to={returnPath(state)} replace />
  return <RequestAuthEmail purpose="sign-in" />
}
