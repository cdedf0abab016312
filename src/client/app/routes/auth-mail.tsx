import { Navigate, useLocation } from 'react-router'
import { useSession } from '#client/lib/session.ts'
import { LoadingPage } from '../loading-page.tsx'
import { returnPath } from '../location-state.ts'
import { AuthByEmail } from './auth-by-email.tsx'

export function Component() {
  const { status } = useSession()
  const { state } = useLocation()
  if (status === 'loading') return <LoadingPage />
  if (status === 'signed-in') return <Navigate to={returnPath(state)} replace />
  return <AuthByEmail purpose="sign-in" />
}
